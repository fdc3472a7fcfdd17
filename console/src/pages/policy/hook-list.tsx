import type { ReactNode } from 'react'
import { listHooks, type HookItem } from '../../api/policy.js'
import { useResource } from '../../live/use-resource.js'
import { Empty, Loading } from '../../ui/empty.js'
import { ErrorBox } from '../../ui/error-box.js'
import { Text } from '../../ui/text.js'

const SAMPLE = `hooks:
  - id: no-secrets
    event: pre_tool_use
    tools: [fetch.*]
    command: ./check-request.sh`

/** Programs and endpoints that are asked about calls. */
export function HookList(): ReactNode {
  const { data, error, refresh } = useResource('hooks', listHooks, {
    events: { types: ['toolcrib.config.'] },
  })
  if (data === undefined)
    return error === undefined ? <Loading /> : <ErrorBox error={error} onRetry={refresh} />
  if (data.items.length === 0)
    return (
      <Empty title="No hooks" command={SAMPLE}>
        A hook is a program or an endpoint that is asked before or after a call. It can change the input, deny
        the call, or redact the result. Hooks are named in the config.
      </Empty>
    )
  return (
    <div className="table-scroll" tabIndex={0} role="group" aria-label="Hooks">
      <table className="plain-table">
        <thead>
          <tr>
            <th scope="col">Hook</th>
            <th scope="col">Runs at</th>
            <th scope="col">Tools</th>
            <th scope="col">How</th>
          </tr>
        </thead>
        <tbody>
          {data.items.map((hook) => (
            <tr key={hook.id}>
              <td>
                <Text>{hook.id}</Text>
              </td>
              <td>{hook.event.replaceAll('_', ' ')}</td>
              <td>
                <Text>{toolsOf(hook)}</Text>
              </td>
              <td>
                <code>
                  <Text>{howOf(hook)}</Text>
                </code>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function toolsOf({ tools, matcher, matching_tools: matching }: HookItem): string {
  const names = matcher ?? tools?.join(', ') ?? 'every tool'
  if (matching === undefined) return names
  return `${names} (${matching.length === 0 ? 'matches no tool' : `${matching.length.toLocaleString()} now`})`
}

function howOf(hook: HookItem): string {
  for (const key of ['command', 'url', 'module', 'prompt', 'mcp']) {
    const value = hook[key]
    if (typeof value === 'string') return value
    if (value !== undefined) return JSON.stringify(value)
  }
  return ''
}
