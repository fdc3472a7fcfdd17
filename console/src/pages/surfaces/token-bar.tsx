import type { ReactNode } from 'react'
import type { ShownSurface } from './shown-surface.js'

/** How many tokens the listed tools take in a prompt, what deferral saves, and the budget. */
export function TokenBar({ surface }: { readonly surface: ShownSurface }): ReactNode {
  const { budget_tokens: budget, total_tokens: total, loaded_tokens: loaded, saved_tokens: saved } = surface
  const scale = Math.max(total, loaded, budget ?? 0, 1)
  const width = (tokens: number): { width: string } => ({ width: `${(100 * tokens) / scale}%` })
  return (
    <figure className="token-bar">
      <div className="token-track" aria-hidden="true">
        <span className="token-loaded" style={width(loaded)} />
        <span className="token-saved" style={width(Math.max(0, saved))} />
        {budget !== undefined && budget > 0 && (
          <span className="token-budget" style={{ left: `${(100 * budget) / scale}%` }} />
        )}
      </div>
      <figcaption>
        <span>
          <i className="key token-loaded" aria-hidden="true" /> {say(loaded)} loaded
        </span>
        <span>
          <i className="key token-saved" aria-hidden="true" /> {say(Math.max(0, saved))} saved
        </span>
        <span className="muted">
          of {say(total)} {budget === undefined || budget === 0 ? 'tokens' : `tokens, budget ${say(budget)}`}
        </span>
      </figcaption>
    </figure>
  )
}

function say(tokens: number): string {
  return tokens.toLocaleString()
}
