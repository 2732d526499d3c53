export const enPerson = {
  title: 'Person',
}

export const dePerson: typeof enPerson = {
  title: 'Person',
}
