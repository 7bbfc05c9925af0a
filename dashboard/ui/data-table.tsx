import { type ColumnDef, tableFeatures, useTable } from '@tanstack/react-table'
import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import { Empty, type Loadable, Loaded } from './states.tsx'
import styles from './table.module.css'

/** The server filters and sorts: its lists have keyset pages. */
const features = tableFeatures({})

export type Columns<Row extends object> = ColumnDef<typeof features, Row>[]

/** A column without a header has the actions of a row. */
type Column<Row> = { header: string; cell: (row: Row) => ReactNode }

/** Defines the columns of a table, outside of its component. */
export const defineColumns = <Row extends object>(columns: Column<Row>[]): Columns<Row> =>
  columns.map(({ header, cell }) => ({
    id: header || 'action',
    header,
    cell: ({ row }) => cell(row.original),
  }))

type TableProps<Row extends object> = { label: string; columns: Columns<Row>; data: Row[]; empty: ReactNode }

export function DataTable<Row extends object>({ label, columns, data, empty }: TableProps<Row>) {
  const table = useTable({ features, columns, data })
  if (data.length === 0) return empty
  return (
    <table className={styles.table} aria-label={label}>
      <thead>
        {table.getHeaderGroups().map((group) => (
          <tr key={group.id}>
            {group.headers.map((header) => (
              <th key={header.id} scope="col">
                {header.id === 'action' ? (
                  <span className={styles.hidden}>Actions</span>
                ) : (
                  <table.FlexRender header={header} />
                )}
              </th>
            ))}
          </tr>
        ))}
      </thead>
      <tbody>
        {table.getRowModel().rows.map((row) => (
          <tr key={row.id}>
            {row.getAllCells().map((cell) => (
              <td
                key={cell.id}
                data-label={cell.column.columnDef.header}
                className={cell.column.id === 'action' ? styles.action : undefined}
              >
                <table.FlexRender cell={cell} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

type ListProps<Row extends object> = Pick<TableProps<Row>, 'label' | 'columns'> & {
  query: Loadable<{ output: { data: Row[] } }>
  empty: string
}

/** A table of a list that the server sends as a whole. */
export const ListTable = <Row extends object>({ query, empty, ...table }: ListProps<Row>) => (
  <Loaded query={query}>
    {({ output }) => <DataTable {...table} data={output.data} empty={<Empty title={empty} />} />}
  </Loaded>
)

type Pages<Row> = {
  data: { pages: { output: { data: Row[] } }[] } | undefined
  error: Error | null
  refetch: () => unknown
  hasNextPage: boolean
  isFetchingNextPage: boolean
  fetchNextPage: () => unknown
}

/** A table with the pages of a list so far, and a button for the next one. */
export function PagedTable<Row extends object>({
  query,
  empty = 'There is nothing yet',
  ...table
}: { query: Pages<Row>; empty?: string } & Pick<TableProps<Row>, 'label' | 'columns'>) {
  return (
    <Loaded query={query as Loadable<NonNullable<Pages<Row>['data']>>}>
      {({ pages }) => (
        <>
          <DataTable
            {...table}
            data={pages.flatMap(({ output }) => output.data)}
            empty={<Empty title={empty} />}
          />
          {query.hasNextPage && (
            <div className={styles.more}>
              <Button disabled={query.isFetchingNextPage} onClick={() => query.fetchNextPage()}>
                Show more
              </Button>
            </div>
          )}
        </>
      )}
    </Loaded>
  )
}
