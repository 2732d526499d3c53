/** Names by which other programs call the employee in a query, the likeliest first. */
const employeeNames = [
  'userId',
  'employeeId',
  'employee',
  'user',
  'user_id',
  'employee_id',
  'userID',
  'employeeID',
  'assigneeId',
  'uid',
  'memberId',
  'personId',
  'staffId',
  'workerId',
  'ownerId',
  'requesterId',
  'filter[userId]',
  'filter[employeeId]',
  'filter[employee]',
  'filter[user]',
] as const

/** Names by which the employee may be called instead of the one that is set, the likeliest first. */
export function otherEmployeeNames({
  employee,
}: {
  readonly employee: string | null
}): readonly string[] {
  return employeeNames.filter((name) => name !== employee)
}
