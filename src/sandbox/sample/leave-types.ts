/** The categories of the sample company's leave types, as the spec writes them. */
export const leaveCategories = {
  annual: 'ANNUAL',
  sick: 'SICK',
  special: 'SPECIAL',
  training: 'TRAINING',
  unpaid: 'UNPAID',
} as const

export type LeaveType = keyof typeof leaveCategories

/** For what people take leave, as far as it goes with how long they are away and whether it is known beforehand. */
export type LeaveCause =
  | 'appointment'
  | 'errand'
  | 'shortBreak'
  | 'holiday'
  | 'illness'
  | 'occasion'
  | 'bereavement'
  | 'course'
  | 'longAbsence'
