"""KDE's Akonadi with its resource for DAV groupware, as KOrganizer and Kalendar use it."""
import os
import sqlite3
import subprocess
import sys
import threading

from gi.repository import Gio, GLib

from helper import answer_all

home = sys.argv[1]
data = os.environ['XDG_DATA_HOME'] + '/akonadi'
config = os.environ['XDG_CONFIG_HOME']
resource = 'akonadi_davgroupware_resource_0'
account = {}
bus = Gio.bus_get_sync(Gio.BusType.SESSION)


def wallet_answers(method, parameters):
    """KDE's password store keeps the account's password, and none that other programs ask for."""
    is_own = any(resource in str(it) for it in parameters[1:-1])
    return {
        'isEnabled': ('(b)', True),
        'open': ('(i)', 1),
        'openAsync': ('(i)', 1),
        'networkWallet': ('(s)', 'kdewallet'),
        'localWallet': ('(s)', 'kdewallet'),
        'wallets': ('(as)', ['kdewallet']),
        'isOpen': ('(b)', True),
        'hasFolder': ('(b)', True),
        'createFolder': ('(b)', True),
        'hasEntry': ('(b)', is_own),
        'entryType': ('(i)', 1),
        'readPassword': ('(s)', account['password'] if is_own else ''),
        'writePassword': ('(i)', 0),
        'close': ('(i)', 0),
        'folderDoesNotExist': ('(b)', False),
        'keyDoesNotExist': ('(b)', not is_own),
    }[method]


wallet_methods = {
    'isEnabled': '>b', 'open': 'sxs>i', 'openAsync': 'sxsb>i', 'networkWallet': '>s',
    'localWallet': '>s', 'wallets': '>A', 'isOpen': 'i>b', 'hasFolder': 'iss>b',
    'createFolder': 'iss>b', 'hasEntry': 'isss>b', 'entryType': 'isss>i',
    'readPassword': 'isss>s', 'writePassword': 'issss>i', 'close': 'ibs>i',
    'folderDoesNotExist': 'ss>b', 'keyDoesNotExist': 'sss>b',
}


def wallet_xml():
    def argument(code, direction):
        kind = 'as' if code == 'A' else code
        return f'<arg type="{kind}" direction="{direction}"/>'

    methods = ''
    for name, signature in wallet_methods.items():
        taken, given = signature.split('>')
        arguments = ''.join(argument(it, 'in') for it in taken) + argument(given, 'out')
        methods += f'<method name="{name}">{arguments}</method>'
    return f'<node><interface name="org.kde.KWallet">{methods}</interface></node>'


def on_wallet_call(_bus, _sender, _path, _interface, method, parameters, invocation):
    kind, value = wallet_answers(method, parameters.unpack())
    invocation.return_value(GLib.Variant(kind, (value,)))


def call(name, path, method, values=None, kind=None):
    interface, member = method.rsplit('.', 1)
    parameters = GLib.Variant(kind, values) if kind else None
    return bus.call_sync(
        name, path, interface, member, parameters, None, Gio.DBusCallFlags.NONE, 30000, None)


def manage(method, values=None, kind=None):
    return call('org.freedesktop.Akonadi.Control', '/AgentManager',
                f'org.freedesktop.Akonadi.AgentManager.{method}', values, kind)


# What the resource has told of itself since it was last asked to synchronise.
told = []
changed = threading.Condition()


def on_signal(_bus, _sender, _path, _interface, member, parameters):
    with changed:
        told.append((member, parameters.unpack()))
        changed.notify_all()


def wait_until(is_there, seconds):
    with changed:
        return changed.wait_for(is_there, seconds)


def wait_for_name(name):
    loop = threading.Event()
    watch = Gio.bus_watch_name_on_connection(
        bus, name, Gio.BusNameWatcherFlags.NONE, lambda *_: loop.set(), None)
    if not loop.wait(60):
        raise TimeoutError(f'{name} has not come up.')
    Gio.bus_unwatch_name(watch)


def add(**given):
    account.update(given)
    info = Gio.DBusNodeInfo.new_for_xml(wallet_xml())
    bus.register_object('/modules/kwalletd5', info.interfaces[0], on_wallet_call, None, None)
    Gio.bus_own_name_on_connection(bus, 'org.kde.kwalletd5', 0, None, None)
    bus.signal_subscribe(
        f'org.freedesktop.Akonadi.Resource.{resource}', None, None, '/', None,
        Gio.DBusSignalFlags.NONE, on_signal)
    threading.Thread(target=GLib.MainLoop().run, daemon=True).start()
    os.makedirs(f'{config}/akonadi')
    write('akonadi/akonadiserverrc', '[%General]\nDriver=QSQLITE3\n')
    write('kwalletrc', '[Wallet]\nEnabled=true\nFirst Use=false\n')
    url = account['url'] + '/dav/'
    write(f'{resource}rc', f"""[General]
defaultUsername={account['user']}
displayName=bridge
refreshInterval=0
remoteUrls=$default$|CalDav|{url}
settingsVersion=3
""")
    with open(f'{home}/akonadi.log', 'w') as log:
        subprocess.Popen(['akonadi_control'], stdin=subprocess.DEVNULL, stdout=log, stderr=log)
    wait_for_name('org.freedesktop.Akonadi')
    wait_for_name('org.freedesktop.Akonadi.Control')
    manage('createAgentInstance', ('akonadi_davgroupware_resource',), '(s)')
    wait_for_name(f'org.freedesktop.Akonadi.Resource.{resource}')
    sync()


def write(name, text):
    with open(f'{config}/{name}', 'w') as file:
        file.write(text)


def sync():
    told.clear()
    call(f'org.freedesktop.Akonadi.Resource.{resource}', '/',
         'org.freedesktop.Akonadi.Resource.synchronize')
    ends = {'synchronized', 'error'}
    if not wait_until(lambda: ends & {member for member, _ in told}, 60):
        raise TimeoutError(f'It has come to no end: {told}')
    errors = [values[0] for member, values in told if member == 'error']
    if not errors:
        return 'done'
    if '401' not in errors[0]:
        raise RuntimeError(errors[0])
    return 'refused'


def held():
    database = sqlite3.connect(f'file:{data}/akonadi.db?mode=ro', uri=True)
    rows = database.execute(
        "select p.data, p.storage from PartTable p join PartTypeTable t on t.id = p.partTypeId"
        " where t.name = 'RFC822'").fetchall()
    database.close()
    return [text_of(part, storage) for part, storage in rows]


def text_of(part, storage):
    if storage == 0:
        return part.decode()
    with open(f'{data}/file_db_data/{part.decode()}', encoding='utf8') as file:
        return file.read()


def use_password(password):
    account['password'] = password
    # It reads the password when it starts.
    told.clear()
    manage('restartAgentInstance', (resource,), '(s)')
    if not wait_until(lambda: ('status', (0, 'Ready')) in told, 60):
        raise TimeoutError(f'It has not started again: {told}')


answer_all({'add': add, 'sync': sync, 'held': held, 'use_password': use_password})
