import type { PersonAnswer } from './answered-by.js'
import type { ExecuteContext } from './execute-context.js'
import { checkForm } from '../approvals/check-content.js'
import type { DraftOutput, FactRules } from './tool-draft.js'
import { toolOutput, type ToolOutput } from './tool-output.js'

/** A question changes nothing, and several may be open at once. It always needs a person. */
export function personFacts(stated: FactRules = {}): FactRules {
  return {
    ...stated,
    is_read_only: stated.is_read_only ?? true,
    is_destructive: stated.is_destructive ?? false,
    is_concurrency_safe: stated.is_concurrency_safe ?? true,
    requires_user_interaction: true,
  }
}

/** The answer is checked when it is given and when it becomes the result, by the same check. */
export function personOutput(output: DraftOutput = {}): DraftOutput {
  const { schema, validate } = output
  return schema && !validate ? { ...output, validate: checkForm(schema) } : output
}

/** The executor of every tool that a person answers. */
export function personAnswer(_input: never, context: ExecuteContext): ToolOutput {
  const { answer } = context as ExecuteContext & { readonly answer?: PersonAnswer | undefined }
  if (!answer) throw new Error('A person answers this tool, and no person did.')
  const { content, by, at, approvalId } = answer
  return toolOutput({
    structured: content,
    native: { source: 'person', answered_by: by, answered_at: at, approval_id: approvalId },
  })
}
