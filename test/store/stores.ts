import { openStore, type Store } from '../../src/store/open-store.ts'
import type { CreateDatabase } from '../support/database/databases.ts'
import { openStoreNode, type StoreNode } from '../support/database/store-node.ts'

/** A store of this process, and two of processes of their own, on one database. */
export interface Stores {
  readonly url: string
  readonly store: Store
  readonly nodes: readonly [StoreNode, StoreNode]
  close(): Promise<void>
}

/** Opens them on a database of their own. */
export async function openStores(create: CreateDatabase): Promise<Stores> {
  const url = await create()
  const store = await openStore(url)
  const nodes = await Promise.all([openStoreNode(url), openStoreNode(url)])
  const close = async (): Promise<void> => {
    await Promise.all(nodes.map((node) => node.close()))
    await store.close()
  }
  return { url, store, nodes, close }
}
