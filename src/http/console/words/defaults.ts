export const enDefaults = {
  title: 'Defaults',
}

export const deDefaults: typeof enDefaults = {
  title: 'Vorgaben',
}
