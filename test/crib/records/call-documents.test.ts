import { expect, it } from 'vitest'
import { callOfDocument } from '../../../src/crib/records/call-documents.js'

it.each([
  ['approval', 'appr_inv_0a1_7', 'inv_0a1'],
  ['approval_delivery', 'appr_inv_0a1_7', 'inv_0a1'],
  ['payload', 'toolcrib://invocations/inv_0a1/output', 'inv_0a1'],
  ['payload', 'toolcrib://invocations/inv_0a1/blocks/2', 'inv_0a1'],
  ['payload', 'toolcrib://artifacts/art_1/versions/1', undefined],
  ['payload', 'elsewhere inv_0a1/output', undefined],
  ['surface', 'toolcrib://invocations/inv_0a1/output', undefined],
  ['constructor', 'appr_inv_0a1_7', undefined],
])('the document %s %s belongs to %s', (kind, id, call) => {
  expect(callOfDocument({ kind, id })).toBe(call)
})
