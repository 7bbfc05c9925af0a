/** The subset of canonical CBOR (RFC 8949) that authenticators use. */
export type Cbor =
  | number
  | string
  | Uint8Array
  | readonly Cbor[]
  | ReadonlyMap<number, Cbor>
  | ReadonlyMap<string, Cbor>

function head(major: number, value: number): Buffer {
  const kind = major << 5
  if (value < 24) return Buffer.of(kind | value)
  if (value < 0x100) return Buffer.of(kind | 24, value)
  return Buffer.of(kind | 25, value >> 8, value & 0xff)
}

export function cbor(value: Cbor): Buffer {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value)
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)])
  if (value instanceof Uint8Array) return Buffer.concat([head(2, value.length), value])
  if (isList(value)) return Buffer.concat([head(4, value.length), ...value.map(cbor)])
  const entries = Array.from<readonly [number | string, Cbor], Buffer>(value, ([key, inner]) =>
    Buffer.concat([cbor(key), cbor(inner)]),
  )
  return Buffer.concat([head(5, value.size), ...entries])
}

const isList = (value: Cbor): value is readonly Cbor[] => Array.isArray(value)
