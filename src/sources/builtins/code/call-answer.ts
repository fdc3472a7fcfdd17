import type { ExecuteContext } from '../../../catalog/execute-context.js'
import type { ToolResult } from '../../../contract/objects/tool-result.js'
import { errorMessage } from '../../../platform/text/error-message.js'
import type { CallAnswer } from './code-messages.js'

/** What the code gets for a call: the whole value, also where a model would get a preview. */
export async function callAnswer(
  result: ToolResult,
  { caller }: Pick<ExecuteContext, 'caller'>,
): Promise<CallAnswer> {
  if (result.is_error === true) return failed(result)
  const uri = result.persisted_payload_ref?.uri
  if (uri === undefined) return { value: shownValue(result) }
  try {
    return { value: await caller.content(uri) }
  } catch (error) {
    return { error: { message: errorMessage(error) } }
  }
}

function failed({ error, status }: ToolResult): CallAnswer {
  const { message = `The call ended as ${status}.`, error_class, error_code } = error ?? {}
  return {
    error: {
      message,
      ...(error_class !== undefined && { error_class }),
      ...(error_code !== undefined && { error_code }),
    },
  }
}

/** The structured value, or else the text; blocks that are no text stay blocks. */
function shownValue({ structured_content: structured, content = [] }: ToolResult): unknown {
  if (structured !== undefined) return structured
  const texts = content.flatMap(({ type, text }) =>
    type === 'text' && typeof text === 'string' ? [text] : [],
  )
  if (texts.length === content.length) return texts.length === 0 ? null : texts.join('\n')
  return content
}
