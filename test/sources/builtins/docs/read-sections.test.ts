import { expect, it } from 'vitest'
import { readSections } from '../../../../src/sources/builtins/docs/read-sections.js'

it('splits Markdown at its headings, and not in code', () => {
  const text = 'Before.\n\n# One\nText.\n```sh\n# no heading\n```\n## Two ##\n\n### Three\nMore.\n# Four\n'
  expect(readSections(text)).toEqual([
    { headings: [], line: 1, text: 'Before.' },
    { headings: ['One'], line: 3, text: 'Text.\n```sh\n# no heading\n```' },
    { headings: ['One', 'Two'], line: 8, text: '' },
    { headings: ['One', 'Two', 'Three'], line: 10, text: 'More.' },
    { headings: ['Four'], line: 12, text: '' },
  ])
})
