import { readRequestSchema } from '../../results/read-back/read-request-schema.js'
import { toReadRequest } from '../../results/read-back/to-read-request.js'
import type { LiveContext } from '../../pipeline/execute/create-execute-context.js'
import { isKeptRef } from '../../contract/kept-ref.js'
import { toolFailure } from '../../pipeline/failures/describe-failure.js'
import { defineTool } from '../../sources/functions/define-tool.js'

const read = defineTool({
  namespace: 'result',
  name: 'read',
  title: 'Read a result',
  description:
    'Read what is kept under a ref (toolcrib://…), such as a result that was too long to be shown: by lines, by bytes, by JSON pointer, or by searching in it. Gives a page and says how to go on.',
  searchHint: 'read on, page, search or look into a long result, output, artifact or ref',
  kind: 'function',
  input: { jsonSchema: readRequestSchema },
  isReadOnly: true,
  isDestructive: false,
  isConcurrencySafe: true,
  isOpenWorld: false,
  isIdempotent: true,
  // A page stored by reference would itself have to be read in pages.
  persistence: 'never_persist',
  refs: 'keep',
  validate: (input) => {
    if (!isKeptRef(input.ref))
      return `"${input.ref}" is not a ref to something kept: such a ref begins with toolcrib:// and stands in the result.`
    const request = toReadRequest(input)
    return 'problem' in request ? request.problem : undefined
  },
  async execute(input, context) {
    const request = toReadRequest(input)
    if ('problem' in request) throw toolFailure('execution_failed', request.problem)
    const page = await (context as LiveContext).readRef(input.ref, request)
    if (page.kind === 'problem') throw toolFailure('execution_failed', page.problem)
    const { renderPage } = await import('../../results/read-back/render-page.js')
    return renderPage(page)
  },
})

/** Reads results that were too long for an agent's prompt. */
export const resultReadTool: typeof read = {
  ...read,
  // A ref is no path.
  reach: { runs: 'in_process', declaresPaths: true },
}
