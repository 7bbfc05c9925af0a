import { waitFor, within } from '@testing-library/dom'
import { userEvent } from '@testing-library/user-event'
import { beforeEach, expect, test } from 'vitest'
import {
  app,
  confirmed,
  open,
  operator,
  type Replies,
  type Sent,
  stubPasskey,
  stubServer,
  time,
} from './testing/dashboard.tsx'

const path = `/admin/v1/apps/${app}/descriptors`
const id = 'd'.repeat(64)
const descriptor = {
  id,
  kind: 'contract',
  owner: 'Harbour',
  contracts: [{ chain_id: '1', address: '0xaa', code_hash: 'c'.repeat(64) }],
  created_at: time,
}

let replies: Replies
let sent: Sent[]
beforeEach(() => {
  ;({ replies, sent } = stubServer())
  stubPasskey()
  replies[`GET ${path}`] = { body: { data: [] } }
})

test('adds a file after a confirmation, and names skipped chains', async () => {
  const skipped = [{ chain_id: '137', address: '0xaa' }]
  replies[`POST ${path}`] = confirmed({ ...descriptor, skipped })
  const page = open(`/apps/${app}/descriptors`)
  await page.findText('There are no descriptors')
  await page.press('Add descriptor')
  expect((await page.find('button', 'Add')).hasAttribute('disabled')).toBe(true)
  const input = await waitFor(() => within(document.body).getByLabelText('File'))
  await userEvent.upload(input, new File(['{\r\n}'], 'swap.json', { type: 'application/json' }))
  await waitFor(async () => expect((await page.find('button', 'Add')).hasAttribute('disabled')).toBe(false))
  replies[`GET ${path}`] = { body: { data: [descriptor] } }
  await page.pressInDialog('Add')
  const table = await page.find('table', 'Descriptors')
  expect(table.textContent).toContain('Harbour')
  expect(table.textContent).toContain('chain 1 0xaa')
  await page.findText('Skipped, because the chain has no node: chain 137')
  // The hash of the file covers its line ends.
  expect(sent.findLast(({ method }) => method === 'POST')?.body).toEqual({ file: '{\r\n}' })
})

test('removes a descriptor after a confirmation', async () => {
  replies[`GET ${path}`] = { body: { data: [descriptor] } }
  replies[`DELETE ${path}/${id}`] = ({ headers, ...call }) => {
    replies[`GET ${path}`] = { body: { data: [] } }
    return confirmed({ id })({ headers, ...call })
  }
  const page = open(`/apps/${app}/descriptors`)
  await page.press('Remove')
  await page.pressInDialog('Remove')
  await page.findText('There are no descriptors')
})

test('shows no actions to a viewer', async () => {
  replies['GET /admin/session/session'] = operator('viewer')
  replies[`GET ${path}`] = { body: { data: [descriptor] } }
  const page = open(`/apps/${app}/descriptors`)
  await page.find('table', 'Descriptors')
  for (const name of ['Add descriptor', 'Remove']) expect(page.has('button', name)).toBe(false)
})
