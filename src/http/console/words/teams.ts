export const enTeams = {
  title: 'Teams',
}

export const deTeams: typeof enTeams = {
  title: 'Teams',
}
