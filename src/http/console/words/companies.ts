export const enCompanies = {
  title: 'Companies',
}

export const deCompanies: typeof enCompanies = {
  title: 'Unternehmen',
}
