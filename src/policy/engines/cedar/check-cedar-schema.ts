import type { EntityJson, Schema } from '@cedar-policy/cedar-wasm/nodejs'
import type { ConfigProblem } from '../../../platform/config/describe-problem.js'
import type { Cedar } from './load-cedar.js'
import { sentenceOf, toProblem, type CedarPolicy } from './parse-cedar-policies.js'

/** The problems of the schema, or of policies and entities according to it. */
export function checkCedarSchema(
  cedar: Cedar,
  {
    schema,
    policies,
    entities,
  }: { schema: Schema; policies: readonly CedarPolicy[]; entities: EntityJson[] },
): ConfigProblem[] {
  const parsed = cedar.checkParseSchema(schema)
  if (parsed.type === 'failure') {
    const text = typeof schema === 'string' ? schema : ''
    return parsed.errors.map((error) => toProblem(error, { file: 'schema', text }))
  }
  const problems: ConfigProblem[] = []
  const known = cedar.checkParseEntities({ schema, entities })
  if (known.type === 'failure') {
    problems.push(...known.errors.map((error) => ({ file: 'entities', message: sentenceOf(error) })))
  }
  const staticPolicies = Object.fromEntries(policies.map(({ id, text }) => [id, text]))
  const valid = cedar.validate({ schema, policies: { staticPolicies } })
  if (valid.type === 'failure') {
    return [...problems, ...valid.errors.map((error) => ({ file: 'schema', message: sentenceOf(error) }))]
  }
  for (const { policyId, error } of valid.validationErrors) {
    const { file, line, text } = policies.find(({ id }) => id === policyId)!
    problems.push(toProblem(error, { file, text, firstLine: line }))
  }
  return problems
}
