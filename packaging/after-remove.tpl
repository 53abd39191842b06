#!/bin/bash
# An upgrade by rpm runs this of the old version (with 1) after the new one is installed: it would remove the new command.
[ "$1" = 1 ] && exit 0

if type update-alternatives >/dev/null 2>&1; then
  update-alternatives --remove '${executable}' '/opt/${sanitizedProductName}/${executable}'
else
  rm -f '/usr/bin/${executable}'
fi
if [ -f '/etc/apparmor.d/${executable}' ]; then
  # The kernel would keep the profile until the next start of the system.
  if hash apparmor_parser 2>/dev/null && ! { [ -x /usr/bin/ischroot ] && /usr/bin/ischroot; }; then
    apparmor_parser --remove '/etc/apparmor.d/${executable}' || true
  fi
  rm -f '/etc/apparmor.d/${executable}'
fi
