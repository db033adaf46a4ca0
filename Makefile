# Builds the program with the Swift runtime inside, and installs it with its manual, completions, units and documents.
#
#   make                                  builds into .build/tree
#   make program                          builds .build/release/rssi only
#   make install PREFIX=/usr/local        installs below PREFIX; DESTDIR= goes before it
#   make uninstall PREFIX=/usr/local      removes what was installed
#
# In an archive of scripts/package, where everything is built, only the last two have work to do.
PREFIX ?= /usr/local
ZSH_FUNCTIONS ?= share/zsh/site-functions
# lld folds equal functions, packs relocations and exports no names: 3 MB less, and it links faster. With functions in
# sections of their own it leaves out each that is not called: 2 MB less. No frame is unwound, since neither Swift nor
# the C libraries throw: no tables of frames, 2.8 MB less.
SWIFT_FLAGS = -c release --product rssi --static-swift-stdlib \
  -Xswiftc -use-ld=lld -Xlinker --icf=all -Xlinker --no-eh-frame-hdr \
  -Xlinker -T -Xlinker $(CURDIR)/packaging/discard.ld -Xlinker -z -Xlinker pack-relative-relocs \
  -Xlinker --no-export-dynamic -Xswiftc -Xfrontend -Xswiftc -function-sections

# `rssi --version` shows the commit, and traces keep it.
export RSSI_COMMIT ?= $(shell git describe --always --dirty --exclude '*' 2>/dev/null)

ifneq ($(wildcard Package.swift),)
tree = .build/tree
else
tree = tree
endif
program = $(tree)/bin/rssi
target = $(DESTDIR)$(PREFIX)

.PHONY: all program install uninstall
ifneq ($(wildcard Package.swift),)
# SwiftPM knows what has to be built again.
program:
	swift build $(SWIFT_FLAGS)

all: program
	install -D "$$(swift build $(SWIFT_FLAGS) --show-bin-path)/rssi" $(program)
	packaging/tree $(program) $(tree)

# Installing builds only where nothing is built: it may run as root, without a toolchain on its PATH.
$(tree)/files.txt:
	$(MAKE) all
else
all:
endif

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
