import type { ServerResponse } from 'node:http'
import type { ToolEvent } from '../../../contract/objects/tool-event.js'
import type { ToolResult } from '../../../contract/objects/tool-result.js'
import type { Identity } from '../../server/admission.js'
import { whenCredentialsEnd } from './when-credentials-end.js'

export interface StreamedCall {
  readonly events: AsyncIterable<ToolEvent>
  result(): Promise<ToolResult>
}

/**
 * Writes the events of a call as they happen, and its result at the end. The call goes on where its client leaves, and
 * where the credentials of the client end: then the stream ends without the result.
 */
export function streamCall(response: ServerResponse, call: StreamedCall, identity: Identity): void {
  const stop = whenCredentialsEnd(identity, () => response.end())
  response.once('close', stop)
  writeCall(response, call).catch(() => response.destroy())
}

async function writeCall(response: ServerResponse, { events, result }: StreamedCall): Promise<void> {
  for await (const event of events) {
    if (isOver(response)) return
    if (!response.write(`data: ${JSON.stringify(event)}\n\n`)) await untilRead(response)
  }
  const last = await result()
  if (!isOver(response)) response.end(`event: result\ndata: ${JSON.stringify(last)}\n\n`)
}

function isOver({ destroyed, writableEnded }: ServerResponse): boolean {
  return destroyed || writableEnded
}

/** Resolves when the client has read what waits for it, or has left. */
function untilRead(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const go = (): void => {
      response.off('drain', go).off('close', go)
      resolve()
    }
    response.on('drain', go).on('close', go)
  })
}
