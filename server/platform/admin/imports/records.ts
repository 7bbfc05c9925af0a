/**
 * Reads records from NDJSON and CSV (RFC 4180) in one pass over the bytes. A bad or long record gets a reason and the
 * next line is read as usual, which parsers of whole files do not offer.
 */
import { type AdminImportRow, adminLimits } from '@latchkey/protocol/admin'
import { importLimits } from './limits.ts'

type RecordFault = Extract<AdminImportRow['why'], 'malformed_json' | 'malformed_csv' | 'record_too_large'>

/** A record with the line on which it begins. A CSV row is an object by the names of its columns. */
export type StagedRecord = { line: number; value: unknown } | { line: number; fault: RecordFault }

/** Yields the records in chunks that are imported in one transaction each. */
export async function* readChunks(
  records: AsyncIterable<StagedRecord>,
): AsyncGenerator<{ records: number; content: string }> {
  let texts: string[] = []
  let bytes = 0
  const endChunk = () => {
    const chunk = { records: texts.length, content: `[${texts.join(',')}]` }
    texts = []
    bytes = 0
    return chunk
  }
  for await (const record of records) {
    const text = JSON.stringify(record)
    texts.push(text)
    bytes += text.length
    if (texts.length >= importLimits.chunkRecords || bytes >= importLimits.chunkBytes) yield endChunk()
  }
  if (texts.length > 0) yield endChunk()
}

/** Decodes UTF-8, without a byte order mark at the start. */
async function* decode(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  for await (const chunk of chunks) yield decoder.decode(chunk, { stream: true })
  yield decoder.decode()
}

/** Collects the text of a record, up to its limit. */
function createBuffer() {
  let text = ''
  let isTooLong = false
  return {
    add(more: string) {
      if (isTooLong) return
      if (text.length + more.length <= adminLimits.maxRecordBytes) text += more
      else {
        text = ''
        isTooLong = true
      }
    },
    end() {
      const record = { text, isTooLong }
      text = ''
      isTooLong = false
      return record
    },
  }
}

/** Reads one JSON value a line. Empty lines are skipped. */
export async function* readNdjson(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<StagedRecord> {
  const buffer = createBuffer()
  let line = 1
  for await (const text of decode(chunks)) {
    for (let start = 0; start < text.length; ) {
      const end = text.indexOf('\n', start)
      buffer.add(text.slice(start, end === -1 ? text.length : end))
      if (end === -1) break
      const record = toJsonRecord(line, buffer.end())
      if (record) yield record
      line += 1
      start = end + 1
    }
  }
  const record = toJsonRecord(line, buffer.end())
  if (record) yield record
}

function toJsonRecord(
  line: number,
  { text, isTooLong }: { text: string; isTooLong: boolean },
): StagedRecord | undefined {
  if (isTooLong) return { line, fault: 'record_too_large' }
  if (text.trim() === '') return undefined
  try {
    return { line, value: JSON.parse(text) }
  } catch {
    return { line, fault: 'malformed_json' }
  }
}

type CsvRow = { line: number; cells: string[] } | { line: number; fault: RecordFault }

/** Reads rows as objects. `columns` name the cells of a file without a header. */
export async function* readCsv(
  chunks: AsyncIterable<Uint8Array>,
  columns?: Readonly<string[]>,
): AsyncGenerator<StagedRecord> {
  let names = columns
  for await (const row of readRows(chunks)) {
    if ('fault' in row) yield row
    else if (names === undefined) names = row.cells.map((cell) => cell.trim())
    else {
      const cells = row.cells.map(unguardCell)
      const entries = names.map((name, index) => [name, cells[index] ?? ''] as const)
      yield { line: row.line, value: Object.fromEntries(entries.filter(([, cell]) => cell !== '')) }
    }
  }
}

/** Removes the quote that exports put before a cell that a spreadsheet would run as a formula. */
const unguardCell = (cell: string) => (/^'[=+\-@\t\r]/.test(cell) ? cell.slice(1) : cell)

/** Reads rows character by character. A row with a broken quote ends at the end of its line. */
async function* readRows(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<CsvRow> {
  let line = 1
  let startLine = 1
  let cells: string[] = []
  let cell = ''
  let length = 0
  /** `closed` comes after the second quote of a cell, which may be the first half of an escaped one. */
  let state: 'plain' | 'quoted' | 'closed' = 'plain'
  let fault: RecordFault | undefined

  const endRow = (): CsvRow | undefined => {
    const row: CsvRow = fault ? { line: startLine, fault } : { line: startLine, cells: [...cells, cell] }
    const isEmpty = !fault && cells.length === 0 && cell === ''
    cells = []
    cell = ''
    length = 0
    state = 'plain'
    fault = undefined
    startLine = line
    return isEmpty ? undefined : row
  }

  for await (const text of decode(chunks)) {
    for (const character of text) {
      if (character === '\n') line += 1
      length += 1
      if (length > adminLimits.maxRecordBytes && fault === undefined) {
        // The rest of this line is skipped. Reading goes on with the next one, even within a quote.
        fault = 'record_too_large'
        cells = []
        cell = ''
        state = 'plain'
      }
      if (fault !== undefined || state !== 'quoted') {
        if (character === '\n') {
          const row = endRow()
          if (row) yield row
          continue
        }
        if (fault !== undefined || character === '\r') continue
      }
      if (state === 'quoted') {
        if (character === '"') state = 'closed'
        else cell += character
      } else if (character === ',') {
        cells.push(cell)
        cell = ''
        state = 'plain'
      } else if (character === '"' && state === 'closed') {
        cell += '"'
        state = 'quoted'
      } else if (character === '"' && cell === '') state = 'quoted'
      else if (state === 'closed' || character === '"') fault = 'malformed_csv'
      else cell += character
    }
  }
  if (state === 'quoted' && fault === undefined) fault = 'malformed_csv'
  const row = endRow()
  if (row) yield row
}

/** Reads a file of this media type. */
export const readRecords = (
  { mediaType, chunks }: { mediaType: string; chunks: AsyncIterable<Uint8Array> },
  csvColumns?: Readonly<string[]>,
): AsyncGenerator<StagedRecord> =>
  mediaType === 'text/csv' ? readCsv(chunks, csvColumns) : readNdjson(chunks)
