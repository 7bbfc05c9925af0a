import type { MarkDrawing } from '../mark.tsx'

export const coinbaseWallet: MarkDrawing = [
  {
    fill: '#0052ff',
    path: 'M10 1.5a8.5 8.5 0 1 1 0 17a8.5 8.5 0 0 1 0-17ZM7.6 6.8a.8.8 0 0 0-.8.8v4.8c0 .44.36.8.8.8h4.8c.44 0 .8-.36.8-.8V7.6a.8.8 0 0 0-.8-.8Z',
  },
]

export const cryptocom: MarkDrawing = [
  {
    fill: '#1199fa',
    path: 'M10 1.5 17.4 5.8v8.4L10 18.5 2.6 14.2V5.8ZM7.4 5 6.2 8.2h7.6L12.6 5ZM6 11.8 8.2 15h3.6L14 11.8 12.2 9.6H7.8Z',
  },
]

export const metamask: MarkDrawing = [
  {
    fill: '#f6851b',
    path: 'M3 3.2 8.6 6.6h2.8L17 3.2l-1.1 6 1.1 3.6-1.6 4-3.4-1-1.2 1h-1.6l-1.2-1-3.4 1-1.6-4L4.1 9.2Z',
  },
  { fill: '#763d16', path: 'M5.6 9.6 8.3 11l-.4 1.2-2.8-.8ZM14.4 9.6 11.7 11l.4 1.2 2.8-.8Z' },
  { fill: '#e4d3c3', path: 'M8.6 14.6h2.8l.5 1.3-1 .9H9.1l-1-.9Z' },
]

export const okxWallet: MarkDrawing = [
  {
    fill: 'currentColor',
    path: 'M3 3h4.7v4.7H3ZM12.3 3H17v4.7h-4.7ZM7.7 7.7h4.6v4.6H7.7ZM3 12.3h4.7V17H3ZM12.3 12.3H17V17h-4.7Z',
  },
]

export const phantom: MarkDrawing = [
  {
    fill: '#ab9ff2',
    path: 'M2.5 13.5C2.5 8 6.5 3.5 11.6 3.5c3.6 0 5.9 2.4 5.9 5.6 0 1-.8 1.5-1.7 1.5-.6 0-.9-.2-1.4-.2-1 0-1.4 1.2-2.3 3-1 2-2.3 3.1-3.7 3.1-1.1 0-1.6-.7-1.6-1.5-.7.9-1.5 1.5-2.5 1.5-1.2 0-1.8-1.1-1.8-3Z',
  },
  {
    fill: '#3c315b',
    path: 'M11 6.6a.8 1.3 0 1 1 0 2.6a.8 1.3 0 1 1 0-2.6ZM13.9 6.6a.8 1.3 0 1 1 0 2.6a.8 1.3 0 1 1 0-2.6Z',
  },
]

export const rabbyWallet: MarkDrawing = [
  {
    fill: '#7084ff',
    path: 'M3 7.2C3.6 5.2 5.4 4.2 7.4 4.6l3.8.9c3.4.8 6 3 6 5.7 0 2.5-2.4 4.3-6 4.3-3.2 0-5.6-1-7.6-2.3-.6-.4-.3-1.2.4-1.2 1.6 0 3-.4 3.4-1.3-2.6.2-5-.9-4.4-3.5Z',
  },
  { fill: '#fff', path: 'M12.2 8.8a.9.9 0 1 1 0 1.8a.9.9 0 1 1 0-1.8Z' },
]

export const rainbow: MarkDrawing = [
  { stroke: '#ff4000', width: 2.2, path: 'M3.5 4.5a12 12 0 0 1 12 12' },
  { stroke: '#ffb800', width: 2.2, path: 'M3.5 8.2a8.3 8.3 0 0 1 8.3 8.3' },
  { stroke: '#00a3ff', width: 2.2, path: 'M3.5 11.9a4.6 4.6 0 0 1 4.6 4.6' },
]

export const uniswap: MarkDrawing = [
  {
    fill: '#ff37c7',
    path: 'M10 1.5a8.5 8.5 0 1 1 0 17a8.5 8.5 0 0 1 0-17ZM6.2 5.6v5.2a3.8 3.8 0 0 0 7.6 0V5.6h-2.2v5.2a1.6 1.6 0 0 1-3.2 0V5.6Z',
  },
]

export const walletConnect: MarkDrawing = [
  {
    stroke: '#3b99fc',
    width: 2.1,
    path: 'M3.7 7.6a9.2 9.2 0 0 1 12.6 0M1.7 10.7l4.3 4.1L10 11l4 3.8 4.3-4.1',
  },
]

export const zerion: MarkDrawing = [
  {
    fill: '#2962ef',
    path: 'M4 4.5h11.6c.5 0 .7.6.3 1l-4 3.4c-.5.4-1 .6-1.6.6H3.6c-.5 0-.8-.4-.6-.8l.6-3.6c.1-.4.2-.6.4-.6ZM16 15.5H4.4c-.5 0-.7-.6-.3-1l4-3.4c.5-.4 1-.6 1.6-.6h6.7c.5 0 .8.4.6.8l-.6 3.6c-.1.4-.2.6-.4.6Z',
  },
]
