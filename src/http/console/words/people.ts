export const enPeople = {
  title: 'People',
}

export const dePeople: typeof enPeople = {
  title: 'Personen',
}
