import { codeWords, errorWords, type ErrorWords, type Words } from './error-words.js'
import type { ToolError } from './objects/tool-error.js'
import { retryGuidance, type RetryGuidance } from './retry-guidance.js'

/** What is to be said about an error. `toolName` is what people call the tool. */
export function tellError(error: ToolError, toolName: string): Words {
  const words = wordsOf(error)
  const { forModel, forPerson } = (guidanceOf(error).safe && words.ifSafe) || words
  return { forModel: forModel + waitOf(error), forPerson: forPerson.replace('{tool}', () => `"${toolName}"`) }
}

function wordsOf({ error_class: errorClass, error_code: code }: ToolError): ErrorWords {
  const finer = Object.hasOwn(codeWords, code ?? '') ? codeWords[code as keyof typeof codeWords] : undefined
  const { ifSafe, ...words } = errorWords[errorClass]
  return finer ? { ...words, ...finer } : { ...words, ...(ifSafe && { ifSafe }) }
}

/** A limit of ours says in its own sentence how long the wait is. */
function waitOf({ retry_after: seconds, message }: ToolError): string {
  if (seconds === null || seconds === undefined || message.includes(`${seconds} s`)) return ''
  return ` Wait ${seconds} s first.`
}

/** The guidance that stands in an error; where there is none, that of its class. */
export function guidanceOf({ error_class: errorClass, toolcrib }: ToolError): RetryGuidance {
  return (toolcrib?.['retry'] as RetryGuidance | undefined) ?? retryGuidance(errorClass)
}
