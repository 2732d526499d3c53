/** The categories of the sample company's leave types, as the spec writes them. */
export const leaveCategories = {
  annual: 'ANNUAL',
  sick: 'SICK',
  special: 'SPECIAL',
  training: 'TRAINING',
  unpaid: 'UNPAID',
} as const

export type LeaveType = keyof typeof leaveCategories
