import { adminLimits } from '@latchkey/protocol/admin'
import { describe, expect, test } from 'vitest'
import { readChunks, readCsv, readNdjson, type StagedRecord } from './records.ts'

/** Splits the bytes into pieces of this size, also within characters. */
async function* toChunks(text: string, size = text.length) {
  const bytes = Buffer.from(text)
  for (let start = 0; start < bytes.length; start += Math.max(size, 1))
    yield bytes.subarray(start, start + size)
}
async function collect(records: AsyncIterable<StagedRecord>) {
  const all = []
  for await (const record of records)
    all.push('fault' in record ? [record.line, record.fault] : [record.line, record.value])
  return all
}

describe.each([1, 2, 7, 10_000])('in pieces of %i bytes', (size) => {
  test('NDJSON is read with a byte order mark, empty lines and characters of several bytes', async () => {
    const text = '\uFEFF{"a":"é😀"}\r\n\n  \n[1]\n{"a":\n2'
    expect(await collect(readNdjson(toChunks(text, size)))).toEqual([
      [1, { a: 'é😀' }],
      [4, [1]],
      [5, 'malformed_json'],
      [6, 2],
    ])
  })

  test('CSV is read with quotes, line breaks in cells, and short and long rows', async () => {
    const text = '\uFEFFid, name ,note\r\n1,"a ""b"", c","x\ny"\r\n\n2\n3,b,c,d\n4,"b"c,d\n5,é😀,\n6,"open'
    expect(await collect(readCsv(toChunks(text, size)))).toEqual([
      [2, { id: '1', name: 'a "b", c', note: 'x\ny' }],
      [5, { id: '2' }],
      [6, { id: '3', name: 'b', note: 'c' }],
      [7, 'malformed_csv'],
      [8, { id: '5', name: 'é😀' }],
      [9, 'malformed_csv'],
    ])
  })
})

test('a cell that an export guarded against formulas loses its quote', async () => {
  const text = "id,phone,note\n'=1+1,'+14155550100,'plain\n"
  expect(await collect(readCsv(toChunks(text)))).toEqual([
    [2, { id: '=1+1', phone: '+14155550100', note: "'plain" }],
  ])
})

test('a header named after a property of objects is a plain field', async () => {
  const [record] = await collect(readCsv(toChunks('__proto__,constructor\nx,y\n')))
  expect(record?.[1]).not.toHaveProperty('polluted')
  expect(JSON.stringify(record?.[1])).toBe('{"__proto__":"x","constructor":"y"}')
})

describe('a record beyond the limit', () => {
  const long = 'x'.repeat(adminLimits.maxRecordBytes + 1)

  test('of NDJSON is reported, and the next line is read', async () => {
    expect(await collect(readNdjson(toChunks(`"${long}"\n1`, 1_000)))).toEqual([
      [1, 'record_too_large'],
      [2, 1],
    ])
  })

  test('of CSV is reported, also within an open quote', async () => {
    expect(await collect(readCsv(toChunks(`id\n"${long}\n1\n`, 1_000)))).toEqual([
      [2, 'record_too_large'],
      [3, { id: '1' }],
    ])
  })
})

test.each([
  ['quotes', '"'.repeat(4_000_000)],
  ['line breaks in a quote', `"${'\n'.repeat(4_000_000)}`],
  ['commas', ','.repeat(4_000_000)],
])('CSV of %s is read in one pass', async (_, text) => {
  const startedAt = process.cpuUsage()
  await collect(readCsv(toChunks(text, 65_536)))
  const { user } = process.cpuUsage(startedAt)
  expect(user / 1_000).toBeLessThan(4_000)
})

test('chunks have 500 records, or fewer if these are long', async () => {
  const countRecords = async (text: string) => {
    const counts = []
    for await (const { records } of readChunks(readNdjson(toChunks(text)))) counts.push(records)
    return counts
  }
  expect(await countRecords('1\n'.repeat(1_001))).toEqual([500, 500, 1])
  const counts = await countRecords(`"${'x'.repeat(60_000)}"\n`.repeat(40))
  expect(counts.length).toBeGreaterThan(1)
  expect(counts.reduce((sum, count) => sum + count)).toBe(40)
})
