import { sharedAssets, type StaticAssets } from '../../web/pages/static-assets.ts'

/** Name in the address to file: what all pages share, and our own. */
export const assetFiles = {
  ...sharedAssets,
  'docs.css': own('docs.css'),
  'docs.js': own('docs.js'),
  'try-it.js': own('try-it.js'),
  'shown-json.js': own('shown-json.js'),
} as const

export type AssetName = keyof typeof assetFiles

/** The files that the sandbox's pages load. */
export type PageAssets = StaticAssets<AssetName>

function own(file: string): string {
  return new URL(`assets/${file}`, import.meta.url).href
}
