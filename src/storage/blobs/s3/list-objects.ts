import type { BlobStat } from '../blob-store.js'
import { tenantOfFolder, tenantSpace } from '../tenant-space.js'
import { parseListing } from './parse-s3-xml.js'
import type { S3Client } from './s3-client.js'

export interface S3Location {
  client: S3Client
  prefix: string
}

export interface ListedBlob extends Omit<BlobStat, 'digest'> {
  tenant: string
  hex: string
}

const KEY = /^((?:t|h)-[a-z0-9_-]+)\/([0-9a-f]{2})\/([0-9a-f]{64})$/

/** The blobs of one tenant, or of all, a page at a time and in the order of their keys. */
export async function* listObjects(place: S3Location, tenant?: string): AsyncGenerator<ListedBlob> {
  const below = tenant === undefined ? '' : `${tenantSpace(tenant).folder}/`
  const known: { folder?: string; tenant?: string | undefined } = {}
  let token: string | undefined
  do {
    const query = { 'list-type': '2', prefix: place.prefix + below }
    const asked = token === undefined ? query : { ...query, 'continuation-token': token }
    const { text } = await place.client.ask({ method: 'GET', query: asked })
    const { objects, next } = parseListing(text)
    for (const { key, sizeBytes, lastModified } of objects) {
      const [, folder, shard, hex] = KEY.exec(key.slice(place.prefix.length)) ?? []
      if (folder === undefined || hex === undefined || !hex.startsWith(shard!)) continue
      // Keys are sorted, so the tenant of a folder is read once.
      if (known.folder !== folder) {
        known.folder = folder
        known.tenant = tenant ?? (await tenantOf(place, folder))
      }
      if (known.tenant !== undefined)
        yield { tenant: known.tenant, hex, sizeBytes, storedAt: toWholeSeconds(lastModified) }
    }
    token = next
  } while (token !== undefined)
}

async function tenantOf({ client, prefix }: S3Location, folder: string): Promise<string | undefined> {
  if (folder.startsWith('t-')) return tenantOfFolder(folder, undefined)
  const { status, text } = await client.ask({
    method: 'GET',
    key: `${prefix}${folder}/tenant.json`,
    accept: [404],
  })
  return status === 404 ? undefined : tenantOfFolder(folder, text)
}

/** Listings have milliseconds, single objects do not; the same blob must have the same time everywhere. */
export function toWholeSeconds(time: number): number {
  return Math.floor(time / 1000) * 1000
}
