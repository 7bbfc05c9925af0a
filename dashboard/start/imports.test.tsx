import { waitFor, within } from '@testing-library/dom'
import { userEvent } from '@testing-library/user-event'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { app, open, problem, type Replies, type Sent, stubServer, time } from './testing/dashboard.tsx'

const path = '/admin/v1/imports/imp_1'
const job = (changes: object = {}) => ({
  id: 'imp_1',
  app_id: app,
  source: 'auth0',
  dry_run: false,
  state: 'open',
  parts: 0,
  records: 0,
  done: 0,
  created: 0,
  merged: 0,
  conflicts: 0,
  skipped: 0,
  created_at: time,
  started_at: null,
  ended_at: null,
  ...changes,
})
const row = (line: number, changes: object = {}) =>
  `${JSON.stringify({
    cursor: `1.${line}`,
    part: 1,
    line,
    result: 'created',
    why: null,
    id: `usr_${line}`,
    left_out: [],
    ...changes,
  })}\n`

let replies: Replies
let sent: Sent[]
beforeEach(() => {
  ;({ replies, sent } = stubServer())
  replies['GET /admin/v1/imports'] = { body: { data: [job()], next: null } }
  replies[`GET ${path}`] = { body: job() }
  replies[`GET ${path}/report`] = { body: '' }
})
const reports = () => sent.filter(({ path: to }) => to.startsWith(`${path}/report`)).map(({ path: to }) => to)

test('creates a dry run unless the operator chooses otherwise, and opens it', async () => {
  replies['POST /admin/v1/imports'] = { status: 201, body: job() }
  const page = open(`/apps/${app}/imports`)
  await page.press('New import')
  await userEvent.selectOptions(await page.find('combobox', 'Source'), 'auth0')
  await page.pressInDialog('Create')
  await page.find('heading', 'Import from auth0')
  expect(sent.find(({ method }) => method === 'POST')?.body).toEqual({ app, source: 'auth0', dry_run: true })
  expect(sent.find(({ path: to }) => to.startsWith('/admin/v1/imports?'))?.path).toContain(`app=${app}`)
})

test('uploads a file as the next part, and starts the import', async () => {
  replies[`GET ${path}`] = { body: job({ parts: 1, records: 2 }) }
  replies[`PUT ${path}/parts/2`] = { body: { part: 2, records: 1, bytes: 9 } }
  replies[`POST ${path}/start`] = () => {
    replies[`GET ${path}`] = { body: job({ state: 'finished', parts: 2, records: 3, done: 3, created: 3 }) }
    return { status: 202, body: job({ state: 'running' }) }
  }
  const page = open(`/apps/${app}/imports/imp_1`)
  await page.press('Upload another file')
  const file = new File(['id\n1\n2\n3\n'], 'users.csv')
  await userEvent.upload(document.querySelector<HTMLInputElement>('input[type=file]') as HTMLElement, file)
  await page.pressInDialog('Upload')
  await vi.waitFor(() => expect(sent.some(({ method }) => method === 'PUT')).toBe(true))
  const call = sent.find(({ method }) => method === 'PUT')
  expect(call?.headers.get('content-type')).toBe('text/csv')
  expect(call?.body).toBe(file)
  await waitFor(() => expect(page.has('dialog', 'Upload a file')).toBe(false))
  await page.press('Start')
  await page.pressInDialog('Start')
  await page.findText('3 of 3')
  expect(page.has('button', 'Cancel')).toBe(false)
})

test('follows a running import until its end', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  replies[`GET ${path}`] = { body: job({ state: 'running', parts: 1, records: 2, done: 1 }) }
  const page = open(`/apps/${app}/imports/imp_1`)
  await page.findText('1 of 2')
  replies[`GET ${path}`] = { body: job({ state: 'finished', parts: 1, records: 2, done: 2 }) }
  replies[`GET ${path}/report`] = { body: row(1) + row(2) }
  vi.advanceTimersByTime(2_000)
  await page.findText('2 of 2')
  await page.find('link', 'usr_2…')
})

test('explains each record, and continues the report after the last cursor', async () => {
  const many = Array.from({ length: 60 }, (_, index) => row(index + 1)).join('')
  const skipped = row(61, { result: 'skipped', why: 'no_account', id: null, left_out: ['unverified_email'] })
  replies[`GET ${path}`] = { body: job({ state: 'finished', parts: 1, records: 61, done: 61 }) }
  replies[`GET ${path}/report`] = ({ path: to }) => ({ body: to.includes('after=1.50') ? skipped : many })
  const page = open(`/apps/${app}/imports/imp_1`)
  const table = within(await page.find('table', 'Report'))
  expect(table.getAllByRole('row')).toHaveLength(51)
  await page.press('Show more')
  await page.findText('No verified address and no supported account is left, so nobody could log in.')
  await page.findText('Left out: The source did not verify the e-mail address.')
  expect(page.has('button', 'Show more')).toBe(false)
})

test('filters the report by a result, which the address contains', async () => {
  replies[`GET ${path}`] = { body: job({ state: 'finished' }) }
  const page = open(`/apps/${app}/imports/imp_1`)
  await userEvent.selectOptions(await page.find('combobox', 'Result'), 'conflict')
  await waitFor(() => expect(reports().at(-1)).toBe(`${path}/report?result=conflict`))
  expect(page.history.location.search).toBe('?result=conflict')
})

test('offers to try again if the report cannot be read', async () => {
  replies[`GET ${path}/report`] = problem(503, 'unavailable')
  const page = open(`/apps/${app}/imports/imp_1`)
  await page.findText('A title. A detail.')
  replies[`GET ${path}/report`] = { body: row(1) }
  await page.press('Try again')
  await page.find('link', 'usr_1…')
})
