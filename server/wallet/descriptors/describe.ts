/** Describes a call or typed data in the words of a descriptor. The values are those of the request, formatted by us. */
import { formatExact } from '@latchkey/protocol/reading'
import { getAddress } from 'viem/utils'
import { descriptorLimits } from './limits.ts'
import { type Container, type Match, type Path, resolvePath } from './reader/path.ts'
import type { DescribedField, FieldFormat } from './reader/read-descriptor.ts'
import { type Leaf, listLeaves, type Value } from './reader/value.ts'

export type Asset = { symbol: string | null; decimals: number }

/** The names of assets from our lists and the operator's settings, never from a descriptor. */
export type AssetNames = { coin: Asset | undefined; findToken: (address: string) => Asset | undefined }

export type DescribedLine = {
  label: string
  value: string
  /** Whether the value is in the smallest unit of an asset that is in no list. */
  isSmallestUnit: boolean
}
export type Description = {
  owner: string
  intent: string
  lines: DescribedLine[]
  /** The values that no line names, with their paths. */
  rest: { path: string; value: string }[]
}

type Request = { data: Value; container: Container }

/** Returns undefined if a path leads out of the data, or if the description would be too long to read. */
export function describe(
  { owner, intent, fields }: { owner: string; intent: string; fields: DescribedField[] },
  request: Request,
  names: AssetNames,
): Description | undefined {
  const covered = new Set<string>()
  const lines: DescribedLine[] = []
  const rest: { path: string; value: string }[] = []
  const hasRoom = createLimit()
  try {
    for (const { label, path, format } of fields) {
      for (const match of resolvePath(path, request)) {
        const line = { label, ...formatLeaf(match, format, request, names, covered) }
        if (!hasRoom(line.label, line.value)) return undefined
        if (match.covers !== undefined) covered.add(match.covers)
        lines.push(line)
      }
    }
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
  for (const [path, leaf] of listLeaves(request.data)) {
    if (covered.has(path)) continue
    const value = formatRaw(leaf)
    if (!hasRoom(path, value)) return undefined
    rest.push({ path, value })
  }
  return { owner, intent, lines, rest }
}

function createLimit() {
  let [count, length] = [0, 0]
  return (...texts: string[]) => {
    count += 1
    length += texts.join('').length
    return count <= descriptorLimits.maxLines && length <= descriptorLimits.maxDescriptionLength
  }
}

type FormattedValue = Omit<DescribedLine, 'label'>
const plain = (value: string): FormattedValue => ({ value, isSmallestUnit: false })

const formatRaw = ({ type, text }: Leaf): string => (type === 'address' ? toChecksumAddress(text) : text)
const toChecksumAddress = (text: string) => getAddress(`0x${text.slice(2).toLowerCase()}`)
const isInteger = ({ type }: Leaf) => /^u?int/.test(type)

function formatLeaf(
  match: Match,
  format: FieldFormat,
  request: Request,
  names: AssetNames,
  covered: Set<string>,
): FormattedValue {
  const { leaf } = match
  const raw = formatRaw(leaf)
  switch (format.type) {
    case 'raw':
    case 'addressName':
      return plain(raw)
    case 'amount':
      return isInteger(leaf) ? formatAmount(leaf.text, names.coin) : plain(raw)
    case 'tokenAmount': {
      if (!isInteger(leaf)) return plain(raw)
      const token = findAsset(format.token, match, request, covered)
      if (token === undefined) return { value: raw, isSmallestUnit: true }
      const isCoin = format.coins.includes(token.toLowerCase())
      const asset = isCoin ? names.coin : names.findToken(token.toLowerCase())
      return withAddress(formatAmount(leaf.text, asset), token)
    }
    case 'nftName': {
      const collection = findAsset(format.collection, match, request, covered)
      const id = plain(isInteger(leaf) ? `#${raw}` : raw)
      return collection === undefined ? id : withAddress(id, collection)
    }
    case 'date':
      return plain(format.isBlock || !isInteger(leaf) ? raw : formatDate(raw))
    case 'duration':
      return plain(isInteger(leaf) ? formatDuration(raw) : raw)
    case 'enum': {
      const label = format.values.get(raw)
      return plain(label === undefined ? raw : `${label} (${raw})`)
    }
    case 'unit':
      return plain(isInteger(leaf) ? `${formatSigned(BigInt(raw), format.decimals)} ${format.base}` : raw)
    default:
      return format satisfies never
  }
}

/** Returns the address of a token or collection. A path that belongs to a list uses the position of the amount. */
function findAsset(
  asset: Path | string | undefined,
  { positions }: Match,
  request: Request,
  covered: Set<string>,
): string | undefined {
  if (asset === undefined) return undefined
  if (typeof asset === 'string') return toChecksumAddress(asset)
  const [match, ...more] = resolvePath(asset, request, positions)
  if (!match || more.length > 0) throw new RangeError('The path names no single asset')
  if (match.leaf.type !== 'address') throw new RangeError('The path names no address')
  if (match.covers !== undefined) covered.add(match.covers)
  return toChecksumAddress(match.leaf.text)
}

const withAddress = ({ value, isSmallestUnit }: FormattedValue, address: string): FormattedValue => ({
  value: `${value} (${address})`,
  isSmallestUnit,
})

function formatAmount(digits: string, asset: Asset | undefined): FormattedValue {
  if (asset === undefined || asset.symbol === null) return { value: digits, isSmallestUnit: true }
  return plain(`${formatSigned(BigInt(digits), asset.decimals)} ${asset.symbol}`)
}

const formatSigned = (amount: bigint, decimals: number) =>
  `${amount < 0n ? '-' : ''}${formatExact(amount < 0n ? -amount : amount, decimals)}`

/** The last second of the year 9999. */
const LAST_DATE_SECONDS = 253_402_300_799n

/** Formats a time in the same way in all languages. Numbers that are no such time stay numbers. */
function formatDate(digits: string): string {
  const seconds = BigInt(digits)
  if (seconds < 0n || seconds > LAST_DATE_SECONDS) return digits
  return `${new Date(Number(seconds) * 1_000).toISOString().replace('T', ' ').slice(0, -'.000Z'.length)} UTC`
}

const SECONDS_PER_MINUTE = 60n
const SECONDS_PER_HOUR = 3_600n

/** Formats a duration as hours, minutes and seconds. */
function formatDuration(digits: string): string {
  const seconds = BigInt(digits)
  if (seconds < 0n) return digits
  const pad = (part: bigint) => String(part).padStart(2, '0')
  const minutes = (seconds % SECONDS_PER_HOUR) / SECONDS_PER_MINUTE
  return `${seconds / SECONDS_PER_HOUR}:${pad(minutes)}:${pad(seconds % SECONDS_PER_MINUTE)}`
}
