/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the parts of the module know of each other. Times are in ns of
 * rig_clock(), unless something else is said.
 */
#ifndef RIG_TARGET_H
#define RIG_TARGET_H

#include <linux/compiler.h>
#include <linux/kconfig.h>
#include <linux/timekeeping.h>
#include <linux/types.h>
#if IS_ENABLED(CONFIG_TRACE_CLOCK)
#include <linux/trace_clock.h>
#endif

struct irqaction;

/*
 * sched_clock() itself is exported by few architectures; the tracer's local
 * clock is it, and is exported by all. A kernel without tracing gets the fast
 * monotonic clock, which its printk times are not of.
 */
#if IS_ENABLED(CONFIG_TRACE_CLOCK)
#define RIG_CLOCK_NAME		"sched_clock"
#define RIG_PRINTK_TIME_CLOCK	"local_clock"
static __always_inline u64 rig_clock(void)
{
	return trace_clock_local();
}
#else
#define RIG_CLOCK_NAME		"ktime_mono_fast"
#define RIG_PRINTK_TIME_CLOCK	"other"
static __always_inline u64 rig_clock(void)
{
	return ktime_get_mono_fast_ns();
}
#endif

/* The finest step seen of rig_clock(), 0 if it stands still. */
u64 rig_clock_step(void);

#define RIG_NR_WORST	20
#define RIG_NR_EVENTS	256
#define RIG_NAME_MAX	32

/* A stretch of time for which a CPU had interrupts off. */
struct rig_section {
	u64		seq;
	u64		start;
	u64		duration;
	unsigned long	site;			/* code that switched them off */
	char		handler[RIG_NAME_MAX];	/* first that ran in it, or "" */
	unsigned int	irq;			/* of the handler */
	int		cpu;
};

/* A copy of what was recorded, as of one moment. */
struct rig_snapshot {
	u32			filter_us;
	u64			overwritten;
	unsigned int		nr;
	struct rig_section	sections[];
};

enum rig_list { RIG_WORST, RIG_EVENTS };

/* The recorder: called with interrupts off, at the edges of sections. */
void rig_section_begin(unsigned long site);
void rig_section_end(void);
void rig_section_handler(unsigned int irq, const struct irqaction *action);

void rig_sections_reset(void);
int rig_sections_set_filter(u32 us);
/* To be given to kvfree(); NULL if there is no memory. Worst: CPU by CPU. */
struct rig_snapshot *rig_sections_copy(enum rig_list list);

/* Whether the kernel has the tracepoints that the recorder hangs on. */
int rig_latency_files_init(u64 cost_per_section);
void rig_latency_files_exit(void);

int rig_printk_test_init(void);
void rig_printk_test_exit(void);

/* The marker pin: 0 also when none is asked for. */
int rig_marker_init(void);
void rig_marker_exit(void);
void __rig_marker_set(int value);
extern bool rig_marker_armed;

static __always_inline void rig_marker_set(int value)
{
	if (unlikely(READ_ONCE(rig_marker_armed)))
		__rig_marker_set(value);
}

#endif /* RIG_TARGET_H */
