import type { ReactNode } from 'react'
import type { ToolVersion } from '../../api/types.js'
import { Badge } from '../../ui/badge.js'
import { Diff } from '../../ui/diff.js'
import { Empty } from '../../ui/empty.js'
import { Time } from '../../ui/time.js'

/** Every definition that the tool had, the newest first, with what changed. */
export function ToolVersions({ versions }: { readonly versions: readonly ToolVersion[] }): ReactNode {
  if (versions.length === 0)
    return (
      <Empty title="No versions are recorded">
        A version is stored when a server lists the tool. Each later change of its definition is shown here.
      </Empty>
    )
  return (
    <ol className="versions">
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
