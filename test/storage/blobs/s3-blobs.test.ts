import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { s3Blobs } from '../../../src/storage/blobs/s3/s3-blobs.js'
import { resolveS3Settings, type S3BlobsOptions } from '../../../src/storage/blobs/s3/s3-settings.js'
import { signRequest, toPath } from '../../../src/storage/blobs/s3/sign-request.js'
import type { BlobStore } from '../../../src/storage/blobs/blob-store.js'
import { openTemporaryFolder, type TemporaryFolder } from '../../temporary-folder.js'
import { until } from '../../until.js'
import { bytesOf, codeOf, collect, digestOf, storeBytes } from './blob-bytes.js'
import { blobStoreContract } from '../../contracts/blob-store-contract.js'
import { startS3, type S3Server } from './s3-server.js'

const MIB = 1024 * 1024
const SECRET = 'a-secret-that-no-message-tells'
let server: S3Server
let place: TemporaryFolder

beforeAll(async () => {
  server = await startS3('blobs')
})

afterAll(() => server.stop())

function makeStore(more: Partial<S3BlobsOptions> = {}): BlobStore {
  return s3Blobs({
    endpoint: server.endpoint,
    bucket: 'blobs',
    prefix: 'some prefix/(odd)',
    accessKeyId: 'AKIDSECRET',
    secretAccessKey: SECRET,
    spoolFolder: place.file('spool'),
    maxRequestBytes: 8 * MIB,
    timeoutMs: 1000,
    ...more,
  })
}

blobStoreContract('S3', {
  tickMs: 1000,
  make: () => {
    place = openTemporaryFolder()
    return makeStore()
  },
  remove: () => {
    expect(readdirSync(place.file('spool/incoming'))).toEqual([])
    place.remove()
    server.empty()
  },
})

describe('blobs in S3', () => {
  let store: BlobStore

  beforeEach(async () => {
    place = openTemporaryFolder()
    store = makeStore()
    await store.open()
    server.seen = []
  })

  afterEach(async () => {
    await store.close()
    place.remove()
    server.empty()
  })

  const asked = (): string[] =>
    server.seen.map(({ method, url, headers }) => {
      const query = [...new URL(url, server.endpoint).searchParams.keys()].join(',')
      return [method, query, headers['x-amz-copy-source'] === undefined ? '' : 'copy']
        .filter(Boolean)
        .join(' ')
    })

  it('are uploaded in one request when they are small, with their digest signed', async () => {
    const { digest } = await storeBytes(store, 't', 'abc')
    expect(asked()).toEqual(['HEAD', 'PUT', 'HEAD'])
    const { url, headers } = server.seen[1]!
    expect(url).toBe(`/blobs/some%20prefix/%28odd%29/t-t/ba/${digest.slice(7)}`)
    expect(headers['x-amz-content-sha256']).toBe(digest.slice(7))
    expect(headers['content-length']).toBe('3')
  })

  it('are uploaded in parts when they are large, and become visible when all parts are there', async () => {
    const bytes = bytesOf(1, 20 * MIB)
    const { digest } = await storeBytes(store, 't', bytes)
    expect(asked()).toEqual([
      'HEAD',
      'POST uploads',
      ...Array.from({ length: 3 }, () => 'PUT partNumber,uploadId'),
      'POST uploadId',
      'HEAD',
    ])
    expect((await collect(store.read('t', digest, { verify: true }))).equals(bytes)).toBe(true)
  })

  it('that exist already are renewed by a copy onto themselves, and sent again where that fails', async () => {
    await storeBytes(store, 't', 'abc')
    server.seen = []
    await storeBytes(store, 't', 'abc')
    expect(asked()).toEqual(['HEAD', 'PUT copy', 'HEAD'])
    server.seen = []
    server.fail = ({ headers }) => (headers['x-amz-copy-source'] ? 501 : undefined)
    // A server that cannot copy responds with a status that is not retried.
    const { digest } = await storeBytes(store, 't', 'abc')
    expect(asked().at(-2)).toBe('PUT')
    expect((await collect(store.read('t', digest))).toString()).toBe('abc')
  })

  it('are retried when the server is busy or the connection breaks', async () => {
    for (const fault of [503, 429, 'break', 'silence'] as const) {
      const failed = new Set<string>()
      // Each request fails once.
      server.fail = ({ method, url }) => {
        if (failed.has(method + url)) return undefined
        failed.add(method + url)
        return fault
      }
      const bytes = Buffer.from(`after ${fault}`)
      const { digest } = await storeBytes(store, 't', bytes)
      expect((await collect(store.read('t', digest))).equals(bytes)).toBe(true)
      expect(failed.size).toBe(3)
    }
  })

  it('are stored once, also when the response is lost', async () => {
    const failed = new Set<string>()
    // Each request is processed, and only half of its response arrives the first time.
    server.fail = ({ method, url }) => {
      if (method === 'HEAD' || failed.has(method + url)) return undefined
      failed.add(method + url)
      return 'half'
    }
    const bytes = bytesOf(6, 12 * MIB)
    const { digest } = await storeBytes(store, 't', bytes)
    expect(failed.size).toBe(4)
    expect((await collect(store.read('t', digest, { verify: true }))).equals(bytes)).toBe(true)
    const found: string[] = []
    for await (const each of store.list('t')) found.push(each.digest)
    expect(found).toEqual([digest])
  })

  it('that are being uploaded when the store is closed end at once', async () => {
    server.fail = ({ method }) => (method === 'PUT' ? 'silence' : undefined)
    const writer = await store.create('t')
    await writer.write(Buffer.from('abc'))
    const committed = codeOf(writer.commit())
    await until(() => asked().includes('PUT'))
    await store.close()
    expect(await committed).toBe('toolcrib.blobs_unreachable')
    expect(readdirSync(place.file('spool/incoming'))).toEqual([])
  })

  it('are read on from where the connection broke', async () => {
    const bytes = bytesOf(2, 3_000_000)
    const { digest } = await storeBytes(store, 't', bytes)
    let cuts = 0
    server.fail = ({ method }) => (method === 'GET' && cuts++ < 5 ? 'half' : undefined)
    expect((await collect(store.read('t', digest, { verify: true }))).equals(bytes)).toBe(true)
    expect(cuts).toBe(6)
  })

  it('are given up after a few tries, with no file left and no key in the message', async () => {
    const bytes = bytesOf(3, 20 * MIB)
    for (const [fault, code] of [
      [500, 'toolcrib.blobs_failed'],
      ['break', 'toolcrib.blobs_unreachable'],
      [403, 'toolcrib.blobs_read_only'],
      [404, 'toolcrib.blobs_unreachable'],
      [301, 'toolcrib.blobs_unreachable'],
      [507, 'toolcrib.blobs_full'],
      [400, 'toolcrib.blobs_failed'],
    ] as const) {
      server.seen = []
      server.fail = ({ url }) => (url.includes('partNumber=2') ? fault : undefined)
      const failed = await storeBytes(store, 't', bytes).catch((error: Error) => error)
      expect(await codeOf(Promise.reject(failed))).toBe(code)
      expect(String(failed)).not.toMatch(/AKIDSECRET|a-secret/)
      // The uploaded parts are removed.
      expect(asked().at(-1)).toBe('DELETE uploadId')
      expect(asked().filter((each) => each === 'PUT partNumber,uploadId').length).toBeLessThan(7)
      server.fail = () => undefined
      expect(await store.stat('t', digestOf(bytes))).toBeUndefined()
      expect(readdirSync(place.file('spool/incoming'))).toEqual([])
    }
  })

  it('that were changed there fail at the end of a whole read, and never become a local file', async () => {
    const { digest } = await storeBytes(store, 't', 'abc')
    const { url } = server.seen[1]!
    await fetch(`${server.endpoint}${url}`, { method: 'PUT', body: 'abd' })
    expect(await codeOf(collect(store.read('t', digest, { verify: true })))).toBe('toolcrib.blob_corrupt')
    expect(await codeOf(store.localPath!('t', digest))).toBe('toolcrib.blob_corrupt')
    expect(readdirSync(place.file('spool/incoming'))).toEqual([])
  })

  it('become a local file once, readable by its owner alone, and not after they were removed', async () => {
    const { digest } = await storeBytes(store, 't', 'abc')
    const path = await store.localPath!('t', digest)
    server.seen = []
    expect(await store.localPath!('t', digest)).toBe(path)
    expect(asked()).toEqual(['HEAD'])
    expect(statSync(path!).mode & 0o777).toBe(0o600)
    await store.remove('t', digest)
    expect(await store.localPath!('t', digest)).toBeUndefined()
    expect(statSync(join(path!, '..'), { throwIfNoEntry: false })).toBeDefined()
    expect(statSync(path!, { throwIfNoEntry: false })).toBeUndefined()
  })

  it('are listed over many pages', async () => {
    const digests = new Set<string>()
    for (let n = 0; n < 30; n++) digests.add((await storeBytes(store, 't', `number ${n}`)).digest)
    // Most of them were stored by others, which takes a third of the requests.
    const folder = server.seen.find(({ method }) => method === 'PUT')!.url.replace(/\w+\/\w+$/, '')
    for (let n = 30; n < 1030; n += 50)
      await Promise.all(
        Array.from({ length: 50 }, async (_, index) => {
          const body = `number ${n + index}`
          const digest = digestOf(Buffer.from(body))
          const hex = digest.slice('sha256:'.length)
          const url = `${server.origin}${folder}${hex.slice(0, 2)}/${hex}`
          expect((await fetch(url, { method: 'PUT', body })).status).toBe(200)
          digests.add(digest)
        }),
      )
    const found: string[] = []
    for await (const { digest } of store.list()) found.push(digest)
    expect(found).toHaveLength(1030)
    expect(new Set(found)).toEqual(digests)
    expect((await store.usage('t')).count).toBe(1030)
  })

  it('need a valid URL, bucket and keys, and name the one that is wrong', async () => {
    expect(await codeOf(makeStore({ bucket: 'nowhere' }).open())).toBe('toolcrib.blobs_unreachable')
    expect(await codeOf(makeStore({ endpoint: 'http://127.0.0.1:1' }).open())).toBe(
      'toolcrib.blobs_unreachable',
    )
    server.fail = () => 403
    expect(await codeOf(makeStore().open())).toBe('toolcrib.blobs_read_only')
    const open = async (options: Partial<S3BlobsOptions>): Promise<void> => void makeStore(options)
    expect(await codeOf(open({ endpoint: 'ftp://x' }))).toBe('toolcrib.blob_invalid')
    expect(await codeOf(open({ endpoint: 'http://me:secret@x' }))).toBe('toolcrib.blob_invalid')
    expect(await codeOf(open({ bucket: 'a/b' }))).toBe('toolcrib.blob_invalid')
    expect(await codeOf(open({ secretAccessKey: '' }))).toBe('toolcrib.blob_invalid')
  })
})

describe('the settings of an S3 store', () => {
  const keys = { accessKeyId: 'id', secretAccessKey: 'secret' }

  it('are those of AWS unless there is an endpoint', () => {
    expect(resolveS3Settings({ bucket: 'b-1', ...keys }, { AWS_REGION: 'eu-west-1' })).toMatchObject({
      host: 'b-1.s3.eu-west-1.amazonaws.com',
      basePath: '',
      location: 's3://b-1/ at https://s3.eu-west-1.amazonaws.com',
    })
    expect(resolveS3Settings({ bucket: 'b-1', endpoint: 'http://h:9000/x/', ...keys }, {})).toMatchObject({
      host: 'h:9000',
      basePath: '/x/b-1',
      region: 'us-east-1',
    })
  })

  it('read keys from the environment, both or none', () => {
    const environment = { AWS_ACCESS_KEY_ID: 'i', AWS_SECRET_ACCESS_KEY: 's', AWS_SESSION_TOKEN: 't' }
    expect(resolveS3Settings({ bucket: 'b-1' }, environment).credentials).toEqual({
      accessKeyId: 'i',
      secretAccessKey: 's',
      sessionToken: 't',
    })
    expect(() => resolveS3Settings({ bucket: 'b-1', accessKeyId: 'x' }, environment)).toThrow(/no keys/)
    expect(() => resolveS3Settings({ bucket: 'b-1' }, {})).toThrow(/no keys/)
  })
})

// The examples that the authors of the signature publish for it.
describe('a signature', () => {
  const signing = {
    credentials: {
      accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
      secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
    },
    region: 'us-east-1',
    now: new Date('2013-05-24T00:00:00Z'),
  }
  const empty = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'
  const host = 'examplebucket.s3.amazonaws.com'

  it.each([
    [
      { method: 'GET', path: '/test.txt', query: {}, headers: { range: 'bytes=0-9' }, payloadHash: empty },
      'f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
    ],
    [
      { method: 'GET', path: '/', query: { lifecycle: '' }, headers: {}, payloadHash: empty },
      'fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543',
    ],
    [
      { method: 'GET', path: '/', query: { 'max-keys': '2', prefix: 'J' }, headers: {}, payloadHash: empty },
      '34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7',
    ],
    [
      {
        method: 'PUT',
        path: toPath('/test$file.text'),
        query: {},
        headers: { date: 'Fri, 24 May 2013 00:00:00 GMT', 'x-amz-storage-class': 'REDUCED_REDUNDANCY' },
        payloadHash: '44ce7dd67c959e0d3524ffac1771dfbba87d2b6b4b4e99e42034a8b803f8b072',
      },
      '98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd',
    ],
  ])('of %o is as it must be', (request, signature) => {
    expect(signRequest({ host, ...request }, signing)['authorization']).toMatch(new RegExp(`${signature}$`))
  })
})
