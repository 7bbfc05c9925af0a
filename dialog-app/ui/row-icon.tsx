import { Drawing } from './icon.tsx'

/** Icons of the same family that neither the shell nor a login shows. */
const drawings = {
  info: 'M2.75 10a7.25 7.25 0 1 0 14.5 0a7.25 7.25 0 1 0-14.5 0M10 9.25v4m0-6.5v.01',
  warning:
    'M8.9 3.9 2.7 14.5a1.28 1.28 0 0 0 1.1 1.9h12.4a1.28 1.28 0 0 0 1.1-1.9L11.1 3.9a1.27 1.27 0 0 0-2.2 0ZM10 8v3.25m0 2.25v.01',
  copy: 'M9.25 7.25h5.5a2 2 0 0 1 2 2v5.5a2 2 0 0 1-2 2h-5.5a2 2 0 0 1-2-2v-5.5a2 2 0 0 1 2-2ZM12.75 4.75a1.75 1.75 0 0 0-1.75-1.5H5.25a2 2 0 0 0-2 2V11a1.75 1.75 0 0 0 1.5 1.75',
  more: 'M4.6 10a.4.4 0 1 0 .8 0a.4.4 0 1 0-.8 0M9.6 10a.4.4 0 1 0 .8 0a.4.4 0 1 0-.8 0M14.6 10a.4.4 0 1 0 .8 0a.4.4 0 1 0-.8 0',
  wallet:
    'M3.25 6.75v7A2.5 2.5 0 0 0 5.75 16.25h8.5a2.5 2.5 0 0 0 2.5-2.5V9a2.25 2.25 0 0 0-2.25-2.25H5a1.5 1.5 0 0 1 0-3h8.25a1.5 1.5 0 0 1 1.5 1.5v1.5M13.25 11.5v.01',
  person:
    'M6.75 6.75a3.25 3.25 0 1 0 6.5 0a3.25 3.25 0 1 0-6.5 0M3.75 16.75c.5-3 3-4.75 6.25-4.75s5.75 1.75 6.25 4.75',
  people:
    'M4.75 7a3 3 0 1 0 6 0a3 3 0 1 0-6 0M2.5 16.5c.4-2.75 2.5-4.25 5.25-4.25S12.6 13.75 13 16.5M13 4.25a3 3 0 0 1 0 5.5m2 2.9c1.4.6 2.3 1.9 2.5 3.85',
  phone: 'M7 2.75h6a2 2 0 0 1 2 2v10.5a2 2 0 0 1-2 2H7a2 2 0 0 1-2-2V4.75a2 2 0 0 1 2-2ZM9 14.5h2',
  timer: 'M3.25 11a6.75 6.75 0 1 0 13.5 0a6.75 6.75 0 1 0-13.5 0M10 7.25V11l2.25 1.75M7.75 1.75h4.5',
  apps: 'M5.25 4h2A1.25 1.25 0 0 1 8.5 5.25v2A1.25 1.25 0 0 1 7.25 8.5h-2A1.25 1.25 0 0 1 4 7.25v-2A1.25 1.25 0 0 1 5.25 4Zm7.5 0h2A1.25 1.25 0 0 1 16 5.25v2a1.25 1.25 0 0 1-1.25 1.25h-2a1.25 1.25 0 0 1-1.25-1.25v-2A1.25 1.25 0 0 1 12.75 4Zm-7.5 7.5h2a1.25 1.25 0 0 1 1.25 1.25v2A1.25 1.25 0 0 1 7.25 16h-2A1.25 1.25 0 0 1 4 14.75v-2a1.25 1.25 0 0 1 1.25-1.25Zm8.5 0v4.5m-2.25-2.25H16',
  shield:
    'M10 2.25l6.25 2.25v5c0 4-2.6 6.9-6.25 8.25-3.65-1.35-6.25-4.25-6.25-8.25v-5ZM7 10.25l2.1 2.1 4-4.35',
} satisfies Record<string, string>
export type RowIconName = keyof typeof drawings
export const rowIconNames = Object.keys(drawings) as RowIconName[]

type RowIconProps = { readonly name: RowIconName; readonly size?: number }

export const RowIcon = ({ name, size }: RowIconProps) => <Drawing path={drawings[name]} size={size} />
