export const enOverview = {
  title: 'Overview',
}

export const deOverview: typeof enOverview = {
  title: 'Übersicht',
}
