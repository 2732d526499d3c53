/* The clients driven by Python programs, and what each needs of Debian. */
import { type Needed, startPythonClient } from './python-client.ts'
import type { RealClient } from './real-client.ts'

const library = '/usr/lib/x86_64-linux-gnu'
const modules = '/usr/lib/python3/dist-packages'
const gi: Needed = { file: `${modules}/gi/__init__.py`, packageName: 'python3-gi' }

export function startPythonCaldav(): RealClient {
  const file = `${modules}/caldav/__init__.py`
  const needed = [{ file, packageName: 'python3-caldav' }]
  return startPythonClient({ program: 'python-caldav.py', needed, isOnBus: false })
}

export function startEvolution(): RealClient {
  const needed = [
    gi,
    { file: '/usr/libexec/evolution-source-registry', packageName: 'evolution-data-server' },
    { file: `${library}/girepository-1.0/ECal-2.0.typelib`, packageName: 'gir1.2-ecal-2.0' },
  ]
  return startPythonClient({ program: 'evolution.py', needed, isOnBus: true })
}

export function startAkonadi(): RealClient {
  const drivers = `${library}/qt5/plugins/sqldrivers`
  const needed = [
    gi,
    { file: '/usr/bin/akonadi_davgroupware_resource', packageName: 'kdepim-runtime' },
    { file: `${drivers}/libqsqlite3.so`, packageName: 'akonadi-backend-sqlite' },
  ]
  return startPythonClient({ program: 'akonadi.py', needed, isOnBus: true })
}
