import type { MarkDrawing } from '../mark.tsx'

export const uniswap: MarkDrawing = [
  {
    fill: '#ff37c7',
    path: 'M10 1.5a8.5 8.5 0 1 1 0 17a8.5 8.5 0 0 1 0-17ZM6.2 5.6v5.2a3.8 3.8 0 0 0 7.6 0V5.6h-2.2v5.2a1.6 1.6 0 0 1-3.2 0V5.6Z',
  },
]
