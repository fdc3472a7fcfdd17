import type { AnsweredByPerson } from '../../catalog/answered-by.js'
import { personAnswer, personFacts, personOutput } from '../../catalog/person-answer.js'
import { checkOptions, type OptionKind } from '../../platform/validation/check-options.js'
import { defineTool } from './define-tool.js'
import type { FunctionTool } from './function-tool.js'
import type { ModelInputOf, OutputOf, SchemaForm } from './schema-form.js'
import type { StructuredOutput } from './structured-output.js'
import type { ToolDescription } from './tool-options.js'

const PERSON_OPTIONS = {
  queue: 'text',
  reviewers: 'texts',
  expiresMs: 'positive',
  remindMs: 'positive',
  announce: 'function',
  answers: 'object',
} as const satisfies Record<keyof AnsweredByPerson, OptionKind>

/** A tool that a person answers: its output schema is the form, and the answer is the result of the call. */
export function definePersonTool<const Input extends SchemaForm, const Output extends SchemaForm>(
  options: ToolDescription<Input, Output> & AnsweredByPerson & { readonly output: Output },
): FunctionTool<ModelInputOf<Input>, StructuredOutput<OutputOf<Output>>> {
  const { queue, reviewers, expiresMs, remindMs, announce, answers, ...rest } = options
  const answeredBy: AnsweredByPerson = { queue, reviewers, expiresMs, remindMs, announce, answers }
  checkOptions('definePersonTool', answeredBy, PERSON_OPTIONS)
  if (rest.output === undefined)
    throw new TypeError('definePersonTool needs an "output": the schema of the answer, which is the form.')
  const tool = defineTool({ kind: 'native_tool', ...rest, execute: personAnswer as never })
  return { ...tool, answeredBy, facts: personFacts(tool.facts), output: personOutput(tool.output) }
}
