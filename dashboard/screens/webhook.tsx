import { type AdminRouteOutput, adminWebhookRoutes } from '@latchkey/protocol/admin'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { CallInput } from '../api/call.ts'
import { adminPages, adminQuery } from '../api/queries.ts'
import { Action, useChange } from '../shell/action.tsx'
import { Card, CurlButton, Facts, Screen } from '../shell/screen.tsx'
import { useCan } from '../shell/session.ts'
import { Button } from '../ui/button.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { defineColumns, PagedTable } from '../ui/data-table.tsx'
import { SelectField } from '../ui/fields.tsx'
import { Modal } from '../ui/modal.tsx'
import { Badge, Loaded, Muted, Problem, Time } from '../ui/states.tsx'
import { formatJson, parseObject } from './json.ts'
import styles from './screens.module.css'
import { type Webhook as WebhookObject, WebhookState } from './webhooks.tsx'

const route = getRouteApi('/signed-in/apps/$app/webhooks/$webhook')
const routes = adminWebhookRoutes
type Delivery = AdminRouteOutput<typeof routes.listWebhookDeliveries>['data'][number]

/** Attempts change without the operator, so the list is read again while the screen is open. */
const refreshMs = 5_000

export function Webhook() {
  const params = route.useParams()
  const query = useQuery(adminQuery(routes.getWebhook, { params }))
  return <Loaded query={query}>{({ output, etag }) => <Details webhook={output} etag={etag} />}</Loaded>
}

function Details({ webhook, etag }: { webhook: WebhookObject; etag: string | undefined }) {
  const can = useCan()
  const navigate = useNavigate()
  const params = { app: webhook.appId, webhook: webhook.id }
  const test = useChange(routes.testWebhook)
  const isPaused = webhook.state === 'paused'
  return (
    <Screen
      title={webhook.url}
      lead={webhook.description}
      call={<CurlButton route={routes.getWebhook} input={{ params }} />}
      actions={
        can('webhooks:write') && (
          <Button
            kind="primary"
            disabled={test.isPending || isPaused}
            onClick={() => test.mutate({ params })}
          >
            Send a test
          </Button>
        )
      }
    >
      <Problem error={test.error} />
      <Card title="Endpoint" isPadded>
        <Facts
          rows={[
            ['State', <WebhookState key="s" webhook={webhook} />],
            ['Events', webhook.events.length === 0 ? 'all' : webhook.events.join(', ')],
            ['Created', <Time key="c" at={webhook.createdAt} />],
            ...(webhook.failingSince === null
              ? []
              : ([['Failing since', <Time key="f" at={webhook.failingSince} />]] as const)),
          ]}
        />
        {can('webhooks:write') && (
          <div className={styles.row}>
            <Secrets params={params} />
            <Action
              label={isPaused ? 'Enable' : 'Pause'}
              title={isPaused ? 'Enable this endpoint?' : 'Pause this endpoint?'}
              description={
                isPaused
                  ? 'New events are sent again. Replay the failed ones if the endpoint needs them.'
                  : 'Pending deliveries fail, and new events are not sent.'
              }
              verb={isPaused ? 'Enable' : 'Pause'}
              route={routes.updateWebhook}
              input={{ params, body: { state: isPaused ? 'enabled' : 'paused' }, ifMatch: etag }}
            />
            <Action
              label="Rotate the secret"
              title="Create another secret?"
              description="Earlier secrets sign too for 24 hours. Store the new one in your backend meanwhile."
              verb="Create secret"
              route={routes.rotateWebhookSecret}
              input={{ params, body: {} }}
            />
            <Action
              label="Delete"
              title="Delete this endpoint?"
              description="Its secrets and deliveries are deleted, too."
              verb="Delete endpoint"
              isDangerous
              route={routes.deleteWebhook}
              input={{ params, ifMatch: etag }}
              onDone={() => navigate({ to: '/apps/$app/webhooks', params })}
            />
          </div>
        )}
      </Card>
      <Deliveries params={params} />
    </Screen>
  )
}

type Params = { app: string; webhook: string }

function Secrets({ params }: { params: Params }) {
  const read = useChange(routes.readWebhookSecret)
  const close = () => read.reset()
  return (
    <>
      <Button disabled={read.isPending} onClick={() => read.mutate({ params })}>
        Show the secret
      </Button>
      <Modal
        isOpen={read.data !== undefined || read.error !== null}
        onOpenChange={close}
        title="Signing secrets"
        description="Deliveries are signed with each of these."
        buttons={<Button onClick={close}>Close</Button>}
      >
        <Problem error={read.error} />
        {read.data?.output.data.map(({ secret, publicKey, expiresAt }) => (
          <div key={secret} className={styles.form}>
            <code>{secret}</code>
            <div className={styles.row}>
              <CopyButton label="Copy secret" text={secret} />
              <CopyButton label="Copy public key" text={publicKey} />
              {expiresAt !== null && (
                <Muted>
                  until <Time at={expiresAt} />
                </Muted>
              )}
            </div>
          </div>
        ))}
      </Modal>
    </>
  )
}

const stateTones = { pending: 'warning', delivered: 'good', failed: 'bad' } as const

function Deliveries({ params }: { params: Params }) {
  const can = useCan()
  const { state } = route.useSearch()
  const navigate = route.useNavigate()
  const [opened, setOpened] = useState<string>()
  const input = { params, query: { limit: '50', state } } as CallInput<typeof routes.listWebhookDeliveries>
  const query = useInfiniteQuery({
    ...adminPages(routes.listWebhookDeliveries, input),
    refetchInterval: refreshMs,
  })
  const columns = defineColumns<Delivery>([
    { header: 'Event', cell: ({ type }) => type },
    { header: 'State', cell: (each) => <Badge tone={stateTones[each.state]}>{each.state}</Badge> },
    {
      header: 'Last attempt',
      cell: ({ attempts, lastAttempt }) =>
        lastAttempt === null
          ? 'none yet'
          : `${lastAttempt.status ?? lastAttempt.error ?? 'no answer'} · ${lastAttempt.durationMs} ms · ${attempts} ${attempts === 1 ? 'attempt' : 'attempts'}`,
    },
    { header: 'Created', cell: ({ createdAt }) => <Time at={createdAt} /> },
    {
      header: '',
      cell: ({ id }) => (
        <Button kind="text" onClick={() => setOpened(id)}>
          Body
        </Button>
      ),
    },
  ])
  return (
    <Card
      title="Deliveries"
      actions={
        <>
          <CurlButton route={routes.listWebhookDeliveries} input={input} />
          {can('webhooks:write') && (
            <Action
              label="Replay failed"
              title="Send all failed deliveries again?"
              description="The endpoint may receive an event twice. Its id stays the same."
              verb="Replay"
              route={routes.replayWebhook}
              input={{ params, body: { state: 'failed' } }}
            />
          )}
        </>
      }
    >
      <div className={styles.cardFilters}>
        <SelectField
          label="State"
          options={[
            ['', 'All'],
            ['pending', 'Pending'],
            ['delivered', 'Delivered'],
            ['failed', 'Failed'],
          ]}
          value={state ?? ''}
          onChange={({ target }) =>
            navigate({ search: target.value === '' ? {} : { state: target.value as Delivery['state'] } })
          }
        />
      </div>
      <PagedTable label="Deliveries" query={query} columns={columns} empty="There are no deliveries" />
      {opened !== undefined && (
        <DeliveryBody params={{ ...params, delivery: opened }} onClose={() => setOpened(undefined)} />
      )}
    </Card>
  )
}

function DeliveryBody({ params, onClose }: { params: Params & { delivery: string }; onClose: () => void }) {
  const can = useCan()
  const query = useQuery(adminQuery(routes.getWebhookDelivery, { params }))
  const replay = useChange(routes.replayWebhook, onClose)
  const { app, webhook, delivery } = params
  return (
    <Modal
      isOpen
      onOpenChange={onClose}
      title="Delivery"
      description={<code>{delivery}</code>}
      aside={<CurlButton route={routes.getWebhookDelivery} input={{ params }} />}
      buttons={
        <>
          <Button onClick={onClose}>Close</Button>
          {can('webhooks:write') && (
            <Button
              kind="primary"
              disabled={replay.isPending}
              onClick={() => replay.mutate({ params: { app, webhook }, body: { ids: [delivery] } })}
            >
              Send again
            </Button>
          )}
        </>
      }
    >
      <Loaded query={query}>
        {({ output: { body } }) => <pre className={styles.code}>{formatJson(parseObject(body)) ?? body}</pre>}
      </Loaded>
      <Problem error={replay.error} />
    </Modal>
  )
}
