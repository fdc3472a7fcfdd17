import type {
  JsonObject,
  JsonRpcId,
  JsonRpcMessage,
  JsonRpcResponse,
} from '../../../sources/mcp/protocol/json-rpc.js'
import { McpError, mcpErrorCodes } from '../../../sources/mcp/protocol/mcp-error.js'
import type { McpQuestion } from '../../../sources/mcp/protocol/mcp-client.js'

interface Open {
  resolve(result: JsonObject): void
  reject(error: unknown): void
}

/** Requests from the gateway to the client. */
export function createClientAsk(send: (message: JsonRpcMessage) => void) {
  const open = new Map<JsonRpcId, Open>()
  let count = 0

  return {
    ask({ method, params }: McpQuestion, signal: AbortSignal): Promise<JsonObject> {
      const id = `ask-${++count}`
      return new Promise<JsonObject>((resolve, reject) => {
        const end = (): void => {
          open.delete(id)
          signal.removeEventListener('abort', onAbort)
        }
        const onAbort = (): void => {
          end()
          send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: id } })
          reject(signal.reason)
        }
        if (signal.aborted) return reject(signal.reason)
        signal.addEventListener('abort', onAbort)
        open.set(id, {
          resolve: (result) => (end(), resolve(result)),
          reject: (error) => (end(), reject(error)),
        })
        send({ jsonrpc: '2.0', id, method, ...(params && { params }) })
      })
    },
    answered(response: JsonRpcResponse): void {
      const asked = response.id === null ? undefined : open.get(response.id)
      if (!asked) return
      if ('result' in response) return asked.resolve(response.result)
      const { code, message, data } = response.error
      asked.reject(new McpError(code, message, data))
    },
    close(): void {
      for (const { reject } of open.values())
        reject(new McpError(mcpErrorCodes.internal, 'The client is gone.'))
    },
  }
}
