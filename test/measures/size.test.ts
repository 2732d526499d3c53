import { expect, it } from 'vitest'

import { measureSize, medianMax } from './size.ts'

const sizes = measureSize()

it.each(['files', 'functions'] as const)('half of the %s of src/ are short', (measure) => {
  expect(sizes[measure].median).toBeLessThanOrEqual(medianMax[measure])
})
