import { hasTools, whyNoTools } from '../../../host/serving/why-no-tools.js'
import type { Terminal } from '../terminal/terminal.js'
import type { ServedGateway } from './served-gateway.js'

/**
 * Prints why a gateway has no tools: its clients do not show it. Where no tool can come, it prints at once; otherwise after
 * every server has settled.
 */
export async function reportNoTools(
  { settings, crib, sources }: Pick<ServedGateway, 'settings' | 'crib' | 'sources'>,
  terminal: Terminal,
  signal?: AbortSignal,
): Promise<void> {
  if (!hasTools(crib) && sources.sources.length > 0) {
    await sources.settled()
    await crib.caughtUp()
  }
  // A gateway that is being closed has lost its tools: nothing to report.
  if (!signal?.aborted && !hasTools(crib)) terminal.explain(whyNoTools(settings), terminal.sayStyle.bad)
}
