const BINARY =
  /^(?:image|audio|video|font)\/|^application\/(?:pdf|zip|gzip|x-gzip|x-tar|x-bzip2|wasm|cbor|msgpack)$/

/** Media types whose content is never text. All others are judged by their bytes, `application/octet-stream` too. */
export function isBinaryType(mediaType: string | undefined): boolean {
  const type = (mediaType ?? '').split(';')[0]!.trim().toLowerCase()
  return BINARY.test(type) && !/\+(?:xml|json)$/.test(type)
}
