import type { ReactNode } from 'react'
import type { GroupNumbers, Statistics } from '../../api/statistics.js'
import { toolPath } from '../../paths.js'
import { Link } from '../../shell/router.js'
import { Text, visibleText } from '../../ui/text.js'
import { duration } from '../../ui/time.js'
import { callsLink, ERRORS } from './calls-link.js'

const SHOWN = 10
/** Stands for the tools beyond those that are counted one by one. */
const OTHER_TOOLS = 'toolcrib.other_tools'

interface Row extends GroupNumbers {
  readonly name: string
  readonly to: string
  readonly callsTo?: string
  readonly errorsTo?: string
}

/** The tools and the sources that were called most. */
export function TopLists({ statistics }: { readonly statistics: Statistics }): ReactNode {
  const { since, until } = statistics
  const tools = statistics.by_tool.slice(0, SHOWN).map((group): Row => {
    const { tool_id: tool, tool_name: name = tool } = group
    if (tool === OTHER_TOOLS) return { ...group, name: 'other tools', to: '/catalog' }
    return {
      ...group,
      name,
      to: toolPath(tool),
      callsTo: callsLink({ since, until, tool }),
      errorsTo: callsLink({ since, until, tool, results: ERRORS }),
    }
  })
  const sources = statistics.by_source.slice(0, SHOWN).map((group): Row => {
    const { source } = group
    return {
      ...group,
      name: source,
      to: '/sources',
      callsTo: callsLink({ since, until, source }),
      errorsTo: callsLink({ since, until, source, results: ERRORS }),
    }
  })
  return (
    <div className="top-lists">
      <TopList title="Most called tools" rows={tools} />
      <TopList title="Most called sources" rows={sources} />
    </div>
  )
}

function TopList({ title, rows }: { readonly title: string; readonly rows: readonly Row[] }): ReactNode {
  const most = Math.max(1, ...rows.map(({ calls }) => calls))
  return (
    <section className="section">
      <h2>{title}</h2>
      {rows.length === 0 ? (
        <p className="muted">None in this period.</p>
      ) : (
        <table className="top-list">
          <thead>
            <tr>
              <th scope="col">Name</th>
              <th scope="col" className="number">
                Calls
              </th>
              <th scope="col" className="number">
                Errors
              </th>
              <th scope="col" className="number">
                p95
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.name}>
                <th scope="row">
                  <span
                    className="share"
                    style={{ width: `${(row.calls / most) * 100}%` }}
                    aria-hidden="true"
                  />
                  <Link to={row.to}>
                    <Text>{row.name}</Text>
                  </Link>
                </th>
                <td className="number">
                  <Count value={row.calls} what="calls" row={row} to={row.callsTo} />
                </td>
                <td className={row.errors > 0 ? 'number bad' : 'number'}>
                  <Count value={row.errors} what="errors" row={row} to={row.errorsTo} />
                </td>
                <td className="number">{row.p95_ms === undefined ? '–' : duration(row.p95_ms)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  )
}

interface CountProps {
  readonly value: number
  readonly what: string
  readonly row: Row
  readonly to: string | undefined
}

/** A number that leads to its calls. */
function Count({ value, what, row, to }: CountProps): ReactNode {
  const words = value.toLocaleString()
  if (to === undefined || value === 0) return words
  return (
    <Link to={to} title={visibleText(`The ${what} of ${row.name}`)}>
      {words}
    </Link>
  )
}
