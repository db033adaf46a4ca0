# Builds the program with the Swift runtime inside, and installs it with its manual, completions, units and documents.
#
#   make                                  builds into .build/tree
#   make program                          builds .build/release/rssi only
#   make bench                            builds .build/release/rssi-bench, with the same flags
#   make install PREFIX=/usr/local        installs below PREFIX; DESTDIR= goes before it
#   make uninstall PREFIX=/usr/local      removes what was installed
#
PREFIX ?= /usr/local
ZSH_FUNCTIONS ?= share/zsh/site-functions
# lld folds equal functions and exports no names: 1 MB less, and it links faster. With functions in sections of their own
# it leaves out each that is not called: 2 MB less. No frame is unwound, since neither Swift nor the C libraries throw: no
# tables of frames, 2.8 MB less. Packed relocations (-z pack-relative-relocs) would save 1.7 MB, but glibc 2.35 (Ubuntu
# 22.04) does not read them.
SWIFT_FLAGS = -c release --static-swift-stdlib --disable-local-rpath \
  -Xswiftc -use-ld=lld -Xlinker --icf=all -Xlinker --no-eh-frame-hdr \
  -Xlinker -T -Xlinker $(CURDIR)/packaging/discard.ld -Xlinker --disable-new-dtags -Xlinker '$(RUN_PATH)' \
  -Xlinker --no-export-dynamic -Xswiftc -Xfrontend -Xswiftc -function-sections
# Private libraries (packaging/libraries) are found beside the program. The loader ignores $$ORIGIN if the program has
# capabilities, or if there is no /proc: then only the fixed folders count. An old tag, since the new one would not apply
# to what the libraries themselves need.
RUN_PATH = -rpath=$$ORIGIN/../lib/rssi:/usr/lib/rssi:/usr/local/lib/rssi

# `rssi --version` shows the commit, and traces keep it.
export RSSI_COMMIT ?= $(shell git describe --always --dirty --exclude '*' 2>/dev/null)

tree = .build/tree
program = $(tree)/bin/rssi
target = $(DESTDIR)$(PREFIX)

.PHONY: all program bench install uninstall
all: program
	install -D "$$(swift build $(SWIFT_FLAGS) --show-bin-path)/rssi" $(program)
	packaging/tree $(program) $(tree)

# SwiftPM knows what has to be built again.
program:
	swift build $(SWIFT_FLAGS) --product rssi

bench:
	swift build $(SWIFT_FLAGS) --product rssi-bench

# Installing builds only where nothing is built: it may run as root, without a toolchain on its PATH.
$(tree)/files.txt:
	$(MAKE) all

install: $(tree)/files.txt
	while read -r file; do \
	  case $$file in bin/*) mode=755 ;; *) mode=644 ;; esac; \
	  case $$file in share/zsh/*) place=$(ZSH_FUNCTIONS)/$${file##*/} ;; *) place=$$file ;; esac; \
	  install -D -m $$mode "$(tree)/$$file" "$(target)/$$place" || exit 1; \
	done < $(tree)/files.txt
	sed -i 's|/usr/local/bin/rssi|$(PREFIX)/bin/rssi|' "$(target)"/lib/systemd/system/rssi-*@.service

uninstall:
	while read -r file; do \
	  case $$file in share/zsh/*) place=$(ZSH_FUNCTIONS)/$${file##*/} ;; *) place=$$file ;; esac; \
	  rm -f "$(target)/$$place"; \
	done < $(tree)/files.txt
