import { crc32, deflateSync, inflateSync } from 'node:zlib'

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
const COLORS = 256

/**
 * The same picture with at most 256 colors, a third of the size: a page of text has few colors, and many shades at the edges of
 * its letters. Takes the PNG of a screenshot: 8 bits for each channel, not interlaced.
 */
export function reduceColors(png) {
  const { width, height, pixels } = decode(png)
  const counts = new Map()
  for (const color of pixels) counts.set(color, (counts.get(color) ?? 0) + 1)
  const palette = choosePalette([...counts.keys()].sort((a, b) => counts.get(b) - counts.get(a)))
  const nearest = new Map([...counts.keys()].map((color) => [color, nearestIn(palette, color)]))
  const rows = Buffer.alloc((width + 1) * height)
  pixels.forEach((color, at) => (rows[at + Math.floor(at / width) + 1] = nearest.get(color)))
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 3], 8)
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('PLTE', Buffer.from(palette.flatMap((color) => channelsOf(color)))),
    chunk('IDAT', deflateSync(rows, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

/** First colors that differ much, so that a small green dot stays green; then the frequent ones of the rest. */
function choosePalette(byFrequency) {
  const palette = []
  for (const leastDistance of [1200, 300, 75, 1])
    for (const color of byFrequency)
      if (palette.length < COLORS && palette.every((each) => distanceOf(each, color) >= leastDistance))
        palette.push(color)
  return palette
}

function distanceOf(one, other) {
  const [r, g, b] = channelsOf(one)
  const [red, green, blue] = channelsOf(other)
  return (r - red) ** 2 + (g - green) ** 2 + (b - blue) ** 2
}

function channelsOf(color) {
  return [color >> 16, (color >> 8) & 255, color & 255]
}

function nearestIn(palette, color) {
  const distances = palette.map((each) => distanceOf(each, color))
  return distances.indexOf(Math.min(...distances))
}

function decode(png) {
  const data = []
  let header
  for (let at = SIGNATURE.length; at < png.length; at += 12 + png.readUInt32BE(at)) {
    const body = png.subarray(at + 8, at + 8 + png.readUInt32BE(at))
    const type = png.toString('latin1', at + 4, at + 8)
    if (type === 'IHDR') header = body
    else if (type === 'IDAT') data.push(body)
  }
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)]
  const channels = header[9] === 6 ? 4 : 3
  const bytes = unfilter(inflateSync(Buffer.concat(data)), width * channels, channels)
  const pixels = new Uint32Array(width * height)
  for (let at = 0; at < pixels.length; at++) {
    const from = at * channels
    pixels[at] = (bytes[from] << 16) | (bytes[from + 1] << 8) | bytes[from + 2]
  }
  return { width, height, pixels }
}

/** Each row of a PNG says how its bytes follow from those on the left and above. */
function unfilter(filtered, length, channels) {
  const height = filtered.length / (length + 1)
  const bytes = Buffer.alloc(length * height)
  for (let row = 0; row < height; row++) {
    const kind = filtered[row * (length + 1)]
    for (let column = 0; column < length; column++) {
      const at = row * length + column
      const left = column < channels ? 0 : bytes[at - channels]
      const above = row === 0 ? 0 : bytes[at - length]
      const corner = row === 0 || column < channels ? 0 : bytes[at - length - channels]
      bytes[at] =
        filtered[at + row + 1] + [0, left, above, (left + above) >> 1, paeth(left, above, corner)][kind]
    }
  }
  return bytes
}

function paeth(left, above, corner) {
  const [toLeft, toAbove, toCorner] = [left, above, corner].map((each) =>
    Math.abs(left + above - corner - each),
  )
  if (toLeft <= toAbove && toLeft <= toCorner) return left
  return toAbove <= toCorner ? above : corner
}

function chunk(type, body) {
  const typed = Buffer.concat([Buffer.from(type, 'latin1'), body])
  const frame = Buffer.alloc(8)
  frame.writeUInt32BE(body.length, 0)
  frame.writeUInt32BE(crc32(typed), 4)
  return Buffer.concat([frame.subarray(0, 4), typed, frame.subarray(4)])
}
