import { useState, type ReactNode } from 'react'
import { listTokens, type CreatedToken, type TokenItem } from '../../api/settings.js'
import { refreshResources, useResource } from '../../live/use-resource.js'
import { hasRole, useSession } from '../../shell/session.js'
import { Badge } from '../../ui/badge.js'
import { Empty, Loading } from '../../ui/empty.js'
import { ErrorBox } from '../../ui/error-box.js'
import { Text, visibleText } from '../../ui/text.js'
import { Time, useNow } from '../../ui/time.js'
import { NewTokenDialog } from './new-token-dialog.js'
import { RevokeDialog, RotateDialog, ShownToken } from './token-dialogs.js'

type Open = 'new' | { readonly kind: 'rotate' | 'revoke'; readonly token: TokenItem }

const PAGE_SIZE = 500

/** All of them: those that ended are hidden here. */
async function loadTokens(signal: AbortSignal): Promise<{ readonly items: readonly TokenItem[] }> {
  const items: TokenItem[] = []
  let cursor: string | undefined
  do {
    const page = await listTokens({ limit: PAGE_SIZE, ...(cursor === undefined ? {} : { cursor }) }, signal)
    items.push(...page.items)
    cursor = page.next_cursor
  } while (cursor !== undefined)
  return { items }
}

/** Who may come in: the tokens of agents and people. */
export function TokenList(): ReactNode {
  const mayChange = hasRole(useSession(), 'operator')
  const { data, error, refresh } = useResource('tokens', loadTokens)
  const [open, setOpen] = useState<Open>()
  const [created, setCreated] = useState<CreatedToken>()
  const [areAllShown, setAllShown] = useState(false)
  const tokens = data?.items ?? []
  const inForce = tokens.filter(({ revoked_at }) => revoked_at === undefined)
  const shown = areAllShown ? tokens : inForce
  const close = (): void => {
    setOpen(undefined)
    refreshResources('tokens')
  }
  const show = (token: CreatedToken): void => {
    setCreated(token)
    close()
  }
  return (
    <div className="page-body">
      <div className="actions">
        <button type="button" className="button primary" disabled={!mayChange} onClick={() => setOpen('new')}>
          New token
        </button>
        {!mayChange && <span className="muted">Only an operator can change tokens.</span>}
        {inForce.length < tokens.length && (
          <label className="check">
            <input
              type="checkbox"
              checked={areAllShown}
              onChange={(event) => setAllShown(event.target.checked)}
            />
            Show revoked tokens
          </label>
        )}
      </div>
      <ErrorBox error={error} onRetry={refresh} />
      {created !== undefined && <ShownToken token={created} onClose={() => setCreated(undefined)} />}
      {data === undefined ? (
        error === undefined && <Loading />
      ) : shown.length === 0 ? (
        <Empty title="No tokens yet">
          A token lets an agent or a person use this server, with the roles and the surface that it names. The
          owner who started the server needs none.
        </Empty>
      ) : (
        <ul className="tokens">
          {shown.map((token) => (
            <TokenRow key={token.token_id} token={token} mayChange={mayChange} onOpen={setOpen} />
          ))}
        </ul>
      )}
      {open === 'new' && <NewTokenDialog onCreated={show} onClose={close} />}
      {typeof open === 'object' && open.kind === 'rotate' && (
        <RotateDialog token={open.token} onRotated={show} onClose={close} />
      )}
      {typeof open === 'object' && open.kind === 'revoke' && (
        <RevokeDialog token={open.token} onClose={close} />
      )}
    </div>
  )
}

interface TokenRowProps {
  readonly token: TokenItem
  readonly mayChange: boolean
  readonly onOpen: (open: Open) => void
}

function TokenRow({ token, mayChange, onOpen }: TokenRowProps): ReactNode {
  const isChangeable = mayChange && token.from === 'store' && token.revoked_at === undefined
  return (
    <li className="token">
      <div className="token-head">
        <strong>
          <Text>{token.name}</Text>
        </strong>
        {token.roles.map((role) => (
          <Badge key={role} tone={role === 'operator' ? 'warn' : 'neutral'}>
            {role}
          </Badge>
        ))}
        <Ended token={token} />
      </div>
      <div className="token-actions">
        {isChangeable && (
          <>
            <button
              type="button"
              className="link-button"
              aria-label={`Rotate ${visibleText(token.name)}`}
              onClick={() => onOpen({ kind: 'rotate', token })}
            >
              Rotate
            </button>
            <button
              type="button"
              className="link-button"
              aria-label={`Revoke ${visibleText(token.name)}`}
              onClick={() => onOpen({ kind: 'revoke', token })}
            >
              Revoke
            </button>
          </>
        )}
        {token.from === 'config' && <span className="muted">set in the config</span>}
      </div>
      <p className="muted token-note">
        <Note token={token} />
      </p>
    </li>
  )
}

function Ended({ token }: { readonly token: TokenItem }): ReactNode {
  const now = useNow()
  if (token.revoked_at !== undefined) return <Badge tone="bad">revoked</Badge>
  if (token.expires_at !== undefined && Date.parse(token.expires_at) <= now)
    return <Badge tone="bad">expired</Badge>
  return null
}

function Note({ token }: { readonly token: TokenItem }): ReactNode {
  return (
    <>
      actor <Text>{token.actor}</Text>
      {token.surface !== undefined && (
        <>
          {' · surface '}
          <Text>{token.surface}</Text>
        </>
      )}
      {token.rate_limit_per_minute !== undefined && ` · ${token.rate_limit_per_minute} requests per minute`}
      {token.created_at !== undefined && (
        <>
          {' · created '}
          <Time at={token.created_at} />
          {token.created_by !== undefined && (
            <>
              {' by '}
              <Text>{token.created_by}</Text>
            </>
          )}
        </>
      )}
      {token.expires_at !== undefined && (
        <>
          {' · ends '}
          <Time at={token.expires_at} />
        </>
      )}
      {' · '}
      {token.last_used_at === undefined ? (
        'not used yet'
      ) : (
        <>
          used <Time at={token.last_used_at} />
        </>
      )}
    </>
  )
}
