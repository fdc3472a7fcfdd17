import { isKeptRef } from '../../../contract/kept-ref.js'
import { errorMessage } from '../../../platform/text/error-message.js'
import type { JsonObject } from '../../../sources/mcp/protocol/json-rpc.js'
import { OWN_META_KEY } from '../../../sources/mcp/protocol/meta-keys.js'
import type { Era } from '../../../sources/mcp/protocol/revisions.js'
import { invalidParams } from '../invalid-params.js'
import type { Connection } from '../connection.js'
import { resourceNotFound } from './served-resources.js'

const PAGE_CHARS = 100_000
const PAGED = /^(?<ref>[^?]*)(?:\?after=(?<after>\d{1,15}))?$/

export function isKeptUri(uri: string): boolean {
  return isKeptRef(PAGED.exec(uri)?.groups?.['ref'])
}

/** A page of a stored result that was too long to be sent. `?after=` with an offset in bytes gives the next. */
export async function readKept(uri: string, era: Era, connection: Connection): Promise<JsonObject> {
  const { ref = '', after = '0' } = PAGED.exec(uri)?.groups ?? {}
  const { crib } = connection.gateway
  const { actor } = connection.caller
  const { tenant } = connection.surface.request
  if (!(await isOwn(ref, connection))) throw resourceNotFound(uri, era)
  const where = { actor, maxChars: PAGE_CHARS, ...(tenant !== undefined && { tenant }) }
  const page = await crib.read(ref, { by: 'bytes', offset: Number(after) }, where).catch((error: unknown) => {
    throw invalidParams(errorMessage(error), { uri })
  })
  if (page.kind === 'problem') throw invalidParams(page.problem, { uri })
  const next = page.next?.by === 'bytes' ? `${ref}?after=${page.next.offset}` : undefined
  const covered = {
    offset: page.offset,
    length: page.length,
    sizeBytes: page.sizeBytes,
    ...(next && { next }),
  }
  const _meta = { [OWN_META_KEY]: covered }
  if (page.kind === 'binary')
    return {
      contents: [{ uri, mimeType: page.mediaType ?? 'application/octet-stream', blob: page.base64, _meta }],
    }
  return { contents: [{ uri, mimeType: 'text/plain', text: 'text' in page ? page.text : '', _meta }] }
}

/** Whether it comes from a call of this actor. */
async function isOwn(ref: string, { gateway: { crib }, caller, surface }: Connection): Promise<boolean> {
  const [, kind, id = ''] = /^toolcrib:\/\/(invocations|artifacts)\/([^/]+)\//.exec(ref) ?? []
  const { tenant = 'default' } = surface.request
  if (kind === 'invocations') {
    await crib.flush()
    return (await crib.store.getCall(tenant, id))?.actor === caller.actor
  }
  const artifact = await crib.artifact(id, { tenant })
  return artifact?.versions.some(({ provenance }) => provenance.actor === caller.actor) ?? false
}
