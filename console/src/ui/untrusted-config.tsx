import type { ReactNode } from 'react'
import type { Sources } from '../api/statistics.js'
import { Text } from './text.js'

/** Why sources and tools are missing that the config names, and what a person does about it. */
export function UntrustedConfig({ message, command }: NonNullable<Sources['untrusted']>): ReactNode {
  return (
    <div className="notice warn stacked" role="status">
      <p>
        <Text>{message}</Text> Read what it names and trust it in a terminal:
      </p>
      <pre className="command">
        <Text>{command}</Text>
      </pre>
    </div>
  )
}
