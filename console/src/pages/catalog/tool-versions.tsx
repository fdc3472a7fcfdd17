import type { ReactNode } from 'react'
import type { ToolDetail, ToolVersion } from '../../api/types.js'
import { Badge } from '../../ui/badge.js'
import { Diff } from '../../ui/diff.js'
import { Empty } from '../../ui/empty.js'
import { Time } from '../../ui/time.js'

interface ToolVersionsProps {
  readonly versions: readonly ToolVersion[]
  /** The version that the source offers and nobody has accepted. */
  readonly change: ToolDetail['change']
}

/** Every definition that the tool had, the newest first, with what changed. */
export function ToolVersions({ versions, change }: ToolVersionsProps): ReactNode {
  if (versions.length === 0 && change === undefined)
    return (
      <Empty title="No versions are recorded">
        A version is stored when a server lists the tool. Each later change of its definition is shown here.
      </Empty>
    )
  return (
    <ol className="versions">
      {change !== undefined && (
        <li className="section">
          <h2>
            New version <Badge tone="warn">not accepted yet</Badge>
          </h2>
          <Diff lines={change.lines} label="What changed in the new version" />
        </li>
      )}
      {versions.map((version) => (
        <li key={version.fingerprint} className="section">
          <h2>
            <code>{shortPrint(version.fingerprint)}</code>
            {version.is_current && <Badge tone="good">current</Badge>}
          </h2>
          <p className="muted">
            {version.first_seen_at !== undefined && (
              <>
                first seen <Time at={version.first_seen_at} />
              </>
            )}
            {version.last_seen_at !== undefined && (
              <>
                , replaced <Time at={version.last_seen_at} />
              </>
            )}
          </p>
          {version.diff === undefined ? (
            <p>The first version that is known.</p>
          ) : version.diff.lines.length === 0 ? (
            <p>Nothing that people read changed.</p>
          ) : (
            <Diff lines={version.diff.lines} label={`What changed in ${shortPrint(version.fingerprint)}`} />
          )}
        </li>
      ))}
    </ol>
  )
}

export function shortPrint(fingerprint: string): string {
  const [scheme, digest] = fingerprint.includes(':') ? fingerprint.split(':', 2) : ['', fingerprint]
  const short = (digest ?? '').slice(0, 12)
  return scheme === '' ? short : `${scheme}:${short}`
}
