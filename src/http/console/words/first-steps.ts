export const enFirstSteps = {
  title: 'First steps',
}

export const deFirstSteps: typeof enFirstSteps = {
  title: 'Erste Schritte',
}
