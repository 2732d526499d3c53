export const enErase = {
  title: 'Erase a person',
}

export const deErase: typeof enErase = {
  title: 'Person löschen',
}
