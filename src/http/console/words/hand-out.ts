export const enHandOut = {
  title: 'Hand out calendars',
}

export const deHandOut: typeof enHandOut = {
  title: 'Kalender verteilen',
}
