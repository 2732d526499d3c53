import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { compareIdentity, identityOf } from '../../src/domain/person.ts'
import type { User } from '../../src/domain/user.ts'

type Said = Omit<User, 'id'>

const ada: Said = { firstName: 'Ada', lastName: 'Müller', email: 'ada.mueller@example.com' }

function compared(known: Said, read: Said): string {
  return compareIdentity(identityOf(known), identityOf(read))
}

describe('the same person', () => {
  it.each<[string, Said]>([
    ['with another last name', { ...ada, lastName: 'King' }],
    ['at another mail domain', { ...ada, email: 'ada.mueller@example.org' }],
    [
      'with first and last name swapped',
      { firstName: 'Müller', lastName: 'Ada', email: 'a@b.example' },
    ],
    ['written in capitals', { firstName: 'ADA', lastName: 'MÜLLER', email: 'a@b.example' }],
    [
      'in another Unicode form',
      { firstName: 'Ada', lastName: 'Mu\u0308ller', email: 'a@b.example' },
    ],
    ['without accents', { firstName: 'Ada', lastName: 'Muller', email: 'a@b.example' }],
    [
      'with spaces',
      { firstName: ' Ada ', lastName: '\u00A0Müller', email: ' ADA.Mueller@EXAMPLE.com ' },
    ],
    ['with a middle name', { firstName: 'Ada Maria', lastName: 'Müller', email: 'a@b.example' }],
    ['without a last name', { firstName: 'Ada', email: ada.email }],
    ['without a last name and an address', { firstName: 'Ada' }],
    [
      'of a first and a last name that others have between them',
      { firstName: 'Ada Maria', lastName: 'King Müller', email: 'a@b.example' },
    ],
  ])('%s', (_, read) => {
    expect(compared(ada, read)).toBe('same')
  })
})

it('another name with another address is another person', () => {
  expect(compared(ada, { firstName: 'Eve', lastName: 'Müller', email: 'eve@example.com' })).toBe(
    'another',
  )
})

it('one shared word of a name with another address is another person', () => {
  const newcomer = { firstName: 'Ada', email: 'ada.new@example.com' }
  expect(compared(ada, newcomer)).toBe('another')
  expect(compared(newcomer, ada)).toBe('another')
  expect(compared(newcomer, { ...newcomer, email: ada.email })).toBe('same')
})

it('a missing name or address counts neither for nor against', () => {
  expect(compared(ada, { firstName: 'Eve', lastName: 'King' })).toBe('unsaid')
  expect(compared(ada, { email: 'eve@example.com' })).toBe('unsaid')
  expect(compared(ada, {})).toBe('unsaid')
  const eve = { firstName: 'Eve', lastName: 'King', email: 'eve@example.com' }
  expect(compared({ ...ada, email: null }, eve)).toBe('same')
  expect(compared({ email: ada.email }, eve)).toBe('same')
})

const said = fc.record({
  firstName: fc.option(fc.string({ unit: 'grapheme' })),
  lastName: fc.option(fc.string({ unit: 'grapheme' })),
  email: fc.option(fc.emailAddress()),
})

it('a person is recognized in every spelling of name and address', () => {
  fc.assert(
    fc.property(said, fc.constantFrom('NFC', 'NFD'), (person, form) => {
      const written = {
        firstName: person.lastName?.normalize(form),
        lastName: `  ${person.firstName?.normalize(form) ?? ''} `,
        email: person.email?.toUpperCase(),
      }
      expect(compared(person, written)).toBe('same')
    }),
  )
})
