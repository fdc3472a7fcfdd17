import { useState, type ReactNode } from 'react'
import { revokeToken, rotateToken, type CreatedToken, type TokenItem } from '../../api/settings.js'
import { useAction } from '../../live/use-action.js'
import { Dialog } from '../../ui/dialog.js'
import { ErrorBox } from '../../ui/error-box.js'
import { Text, visibleText } from '../../ui/text.js'
import { showToast } from '../../ui/toast.js'

/** The secret of a new token. It is not stored anywhere and cannot be shown again. */
export function ShownToken({
  token,
  onClose,
}: {
  readonly token: CreatedToken
  readonly onClose: () => void
}): ReactNode {
  const [isCopied, setCopied] = useState(false)
  const copy = (): void => {
    navigator.clipboard.writeText(token.token).then(
      () => setCopied(true),
      () =>
        showToast({ text: 'The browser did not allow to copy; select the token and copy it.', tone: 'bad' }),
    )
  }
  return (
    <section className="shown-token" aria-label="The new token" role="status">
      <p>
        Copy the token of <strong>{visibleText(token.name)}</strong> now: it is shown only this once.
      </p>
      <code className="token-secret">{token.token}</code>
      <div className="actions">
        <button type="button" className="button primary" onClick={copy}>
          {isCopied ? 'Copied' : 'Copy'}
        </button>
        <button type="button" className="button" onClick={onClose}>
          Done
        </button>
      </div>
    </section>
  )
}

export function RotateDialog({
  token,
  onRotated,
  onClose,
}: {
  readonly token: TokenItem
  readonly onRotated: (token: CreatedToken) => void
  readonly onClose: () => void
}): ReactNode {
  return (
    <ConfirmDialog
      title="Rotate the token"
      action="Rotate it"
      onClose={onClose}
      onConfirm={async () => onRotated(await rotateToken(token.token_id))}
    >
      <p>
        <strong>
          <Text>{token.name}</Text>
        </strong>{' '}
        gets a new secret. The old one stops working at once.
      </p>
    </ConfirmDialog>
  )
}

export function RevokeDialog({
  token,
  onClose,
}: {
  readonly token: TokenItem
  readonly onClose: () => void
}): ReactNode {
  return (
    <ConfirmDialog
      title="Revoke the token"
      action="Revoke it"
      isDanger
      onClose={onClose}
      onConfirm={async () => {
        await revokeToken(token.token_id)
        showToast({ text: `${token.name} is revoked.`, tone: 'good' })
        onClose()
      }}
    >
      <p>
        Whoever uses{' '}
        <strong>
          <Text>{token.name}</Text>
        </strong>{' '}
        is locked out at once, and open connections end. This cannot be undone.
      </p>
    </ConfirmDialog>
  )
}

interface ConfirmDialogProps {
  readonly title: string
  readonly action: string
  readonly isDanger?: boolean
  readonly onConfirm: () => Promise<void>
  readonly onClose: () => void
  readonly children: ReactNode
}

function ConfirmDialog({
  title,
  action,
  isDanger = false,
  onConfirm,
  onClose,
  children,
}: ConfirmDialogProps): ReactNode {
  const running = useAction()
  return (
    <Dialog
      title={title}
      onClose={onClose}
      footer={
        <>
          <button type="button" className="button" onClick={onClose}>
            Cancel
          </button>
          <button
            type="button"
            className={isDanger ? 'button danger' : 'button primary'}
            disabled={running.isBusy}
            onClick={() => running.run(onConfirm)}
          >
            {action}
          </button>
        </>
      }
    >
      {children}
      <ErrorBox error={running.error} />
    </Dialog>
  )
}
