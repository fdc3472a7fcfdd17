import type { ReactNode } from 'react'
import type { ApiError } from '../api/http.js'
import { Text } from './text.js'

interface ErrorBoxProps {
  readonly error: ApiError | undefined
  readonly onRetry?: () => void
}

/** What went wrong and what to do, as the server says. Without an error it shows nothing. */
export function ErrorBox({ error, onRetry }: ErrorBoxProps): ReactNode {
  if (error === undefined) return null
  const { detail, errors = [] } = error.problem
  return (
    <div className="error-box" role="alert">
      <p>
        <Text>{detail}</Text>
      </p>
      {errors.length > 0 && (
        <ul>
          {errors.map(({ path, message }, index) => (
            <li key={index}>
              {path !== '' && <code>{path}</code>} <Text>{message}</Text>
            </li>
          ))}
        </ul>
      )}
      {onRetry !== undefined && (
        <button type="button" className="button" onClick={onRetry}>
          Try again
        </button>
      )}
    </div>
  )
}
